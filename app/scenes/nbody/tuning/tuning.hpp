/// The variants of the kernels that sum the forces, over all pairs and by a tree, and how one of them is chosen.
///
/// The bits of a sum depend on how forces are summed and on the bodies per work-item, not on work-group, tile or
/// unrolling (parts.hpp). The bits of a tree depend on leaf, group and order, on a CPU also on the lanes, but not on
/// list and unrolling. The checks of tune targets confirm this.
#pragma once

#include "compute/tuning/tune_target.hpp"
#include "scenes/nbody/model/kernels.hpp"

namespace orrery {

/// The kernel that sums forces in `precision`: mixed precision sums them in single.
std::string tuned_kernel(Precision precision);
/// The problem class of this number of bodies: "8192 … 16383 bodies".
std::string tuned_problem(std::size_t bodies);

/// The variants of the device; axes forces, work-group, lanes, tile, unroll.
TuneSpace nbody_tune_space(const DeviceInfo& device, const NbodyVariant& standard);
NamedTuneValues nbody_named(const NbodyVariant& variant);
/// A variant's place in the space.
TuneValues nbody_tune_values(const TuneSpace& space, const NbodyVariant& variant);
/// `base` with the values of the named axes.
NbodyVariant nbody_variant_of(const TuneSpace& space, const TuneValues& values, const NbodyVariant& base);
/// The default for this number of bodies, without tuning.
NbodyVariant nbody_tune_standard(const DeviceInfo& device, Precision precision, std::size_t bodies);
TuneSubject nbody_tune_subject(Precision precision, std::size_t bodies);
/// `standard` with the axes that the user chose. Throws a usage Error for values that the device does not support.
NbodyVariant nbody_chosen_variant(const DeviceInfo& device, const NbodyVariant& standard, std::size_t bodies,
                                  const NamedTuneValues& chosen);
/// The reason why the device cannot run the variant for this number of bodies, as far as known without building;
/// empty if it can.
std::string nbody_refusal(const DeviceInfo& device, const NbodyVariant& variant, std::size_t bodies);

/// `standard`, with the work-group, tile and unrolling that tuning found best and that give the same bits.
NbodyVariant tuned_variant(const DeviceInfo& device, const NbodyVariant& standard, std::size_t bodies);

/// Like standard_variant(), but with the variant of the settings, or where that and the work-group are automatic with
/// tuned values that keep the bits.
NbodyVariant nbody_variant(const DeviceInfo& device, const NbodySettings& settings, std::size_t bodies);

// ---- the tree

/// --variant names the tree's kernels by this word.
inline constexpr std::string_view tree_kernel = "tree";
/// Axes leaf, group, order, list, lanes, unroll.
TuneSpace tree_tune_space(const DeviceInfo& device, const NbodyVariant& standard);
NamedTuneValues tree_named(const NbodyVariant& variant);
TuneValues tree_tune_values(const TuneSpace& space, const NbodyVariant& variant);
NbodyVariant tree_variant_of(const TuneSpace& space, const TuneValues& values, const NbodyVariant& base);
NbodyVariant tree_tune_standard(const DeviceInfo& device, std::size_t bodies);
TuneSubject tree_tune_subject(std::size_t bodies);
/// Why the device cannot run the variant, as far as known without building; empty if it can.
std::string tree_refusal(const DeviceInfo& device, const NbodyVariant& variant);
/// The variant's sums have the bits of the standard's.
bool keeps_tree_bits(const DeviceInfo& device, const NbodyVariant& variant, const NbodyVariant& standard);
/// `standard` with the axes that the user chose. Throws a usage Error for values that the device does not support.
NbodyVariant chosen_tree(const DeviceInfo& device, const NbodyVariant& standard, const NamedTuneValues& chosen);
/// `standard`, with the list, lanes and unrolling that tuning found best and that give the same bits.
NbodyVariant tuned_tree(const DeviceInfo& device, const NbodyVariant& standard, std::size_t bodies);
/// The kernel that moves the bodies. Only its work-group can be tuned, which does not change the bits.
inline constexpr std::string_view tuned_advance = "nbody advance, single";

}  // namespace orrery
