/// Tunes the kernel that sums the forces: its search space, and how results are checked.
///
/// The bits of a sum follow from how forces are summed and from the bodies a work-item holds; work-group, tile and
/// unrolling leave them alone (parts.hpp), which the check makes sure of.
#pragma once

#include <memory>

#include "compute/program.hpp"
#include "compute/tune_target.hpp"
#include "model/nbody/kernels.hpp"

namespace orrery {

/// The kernel that sums forces in `precision`: mixed precision sums them in single.
std::string tuned_kernel(Precision precision);
/// The class of problems that so many bodies belong to: "8192 … 16383 bodies".
std::string tuned_problem(std::size_t bodies);

/// Which variants there are for the device; axes forces, work-group, lanes, tile, unroll.
TuneSpace nbody_tune_space(const DeviceInfo& device, const NbodyVariant& standard);
/// Why the device cannot have the variant for so many bodies, empty when it can, as far as it tells without building.
std::string nbody_refusal(const DeviceInfo& device, const NbodyVariant& variant, std::size_t bodies);

/// `standard`, with the work-group, tile and unrolling that tuning found best, where they are of the same bits.
NbodyVariant tuned_variant(const DeviceInfo& device, const NbodyVariant& standard, std::size_t bodies);

/// Forces among so many bodies. `programs` must outlive it. Throws Error for what the device cannot do or hold.
std::unique_ptr<TuneTarget> nbody_tune_target(ProgramLibrary& programs, Precision precision, std::size_t bodies);

}  // namespace orrery
