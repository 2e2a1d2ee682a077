/// Tunes the kernel that sums the forces: its search space and the check of its results.
///
/// The bits of a sum depend on how forces are summed and on the bodies per work-item, not on work-group, tile or
/// unrolling (parts.hpp); the check confirms this.
#pragma once

#include <memory>

#include "compute/program/program.hpp"
#include "compute/tuning/tune_target.hpp"
#include "scenes/nbody/model/kernels.hpp"

namespace orrery {

/// The kernel that sums forces in `precision`: mixed precision sums them in single.
std::string tuned_kernel(Precision precision);
/// The problem class of this number of bodies: "8192 … 16383 bodies".
std::string tuned_problem(std::size_t bodies);

/// The variants of the device; axes forces, work-group, lanes, tile, unroll.
TuneSpace nbody_tune_space(const DeviceInfo& device, const NbodyVariant& standard);
/// "single" or "double": the kernel that sums in that precision.
std::string kernel_name(Precision precision);
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
/// The reason why the device cannot run the variant for this number of bodies, as far as known without building; or
std::string nbody_refusal(const DeviceInfo& device, const NbodyVariant& variant, std::size_t bodies);

/// `standard`, with the work-group, tile and unrolling that tuning found best and that give the same bits.
NbodyVariant tuned_variant(const DeviceInfo& device, const NbodyVariant& standard, std::size_t bodies);

/// The kernel that moves the bodies. Only its work-group can be tuned, which does not change the bits.
inline constexpr std::string_view tuned_advance = "nbody advance, single";
TuneSubject advance_tune_subject();
std::unique_ptr<TuneTarget> advance_tune_target(ProgramLibrary& programs);

/// Forces among this number of bodies. `programs` must outlive it. Throws Error for what the device cannot hold.
std::unique_ptr<TuneTarget> nbody_tune_target(ProgramLibrary& programs, Precision precision, std::size_t bodies);

}  // namespace orrery
