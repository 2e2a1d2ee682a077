/// Tunes the kernel that sums the forces: its search space, and how results are checked.
///
/// The bits of a sum follow from how forces are summed and from the bodies a work-item holds; work-group, tile and
/// unrolling leave them alone (parts.hpp), which the check makes sure of.
#pragma once

#include <memory>

#include "compute/program/program.hpp"
#include "compute/tuning/tune_target.hpp"
#include "scenes/nbody/model/kernels.hpp"

namespace orrery {

/// The kernel that sums forces in `precision`: mixed precision sums them in single.
std::string tuned_kernel(Precision precision);
/// The class of problems that so many bodies belong to: "8192 … 16383 bodies".
std::string tuned_problem(std::size_t bodies);

/// Which variants there are for the device; axes forces, work-group, lanes, tile, unroll.
TuneSpace nbody_tune_space(const DeviceInfo& device, const NbodyVariant& standard);
/// "single" or "double": the kernel that sums in that precision.
std::string kernel_name(Precision precision);
NamedTuneValues nbody_named(const NbodyVariant& variant);
/// A variant's place in the space.
TuneValues nbody_tune_values(const TuneSpace& space, const NbodyVariant& variant);
/// `base` with what the named axes say.
NbodyVariant nbody_variant_of(const TuneSpace& space, const TuneValues& values, const NbodyVariant& base);
/// What nobody has tuned, for so many bodies.
NbodyVariant nbody_tune_standard(const DeviceInfo& device, Precision precision, std::size_t bodies);
TuneSubject nbody_tune_subject(Precision precision, std::size_t bodies);
/// `standard` with the axes that a person has chosen. Throws a usage Error for what the device cannot do.
NbodyVariant nbody_chosen_variant(const DeviceInfo& device, const NbodyVariant& standard, std::size_t bodies,
                                  const NamedTuneValues& chosen);
/// Why the device cannot have the variant for so many bodies, empty when it can, as far as it tells without building.
std::string nbody_refusal(const DeviceInfo& device, const NbodyVariant& variant, std::size_t bodies);

/// `standard`, with the work-group, tile and unrolling that tuning found best, where they are of the same bits.
NbodyVariant tuned_variant(const DeviceInfo& device, const NbodyVariant& standard, std::size_t bodies);

/// The kernel that moves the bodies: only its work-group can be tuned, which has no say in the bits.
inline constexpr std::string_view tuned_advance = "nbody advance, single";
TuneSubject advance_tune_subject();
std::unique_ptr<TuneTarget> advance_tune_target(ProgramLibrary& programs);

/// Forces among so many bodies. `programs` must outlive it. Throws Error for what the device cannot do or hold.
std::unique_ptr<TuneTarget> nbody_tune_target(ProgramLibrary& programs, Precision precision, std::size_t bodies);

}  // namespace orrery
