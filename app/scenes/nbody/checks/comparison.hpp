/// Moves the same bodies by the same steps in two ways and compares them. Any thread; waits for the devices.
#pragma once

#include "compute/measure/side_by_side.hpp"
#include "compute/program/program.hpp"
#include "scenes/nbody/bodies/body.hpp"
#include "scenes/nbody/model/settings.hpp"

namespace orrery {

/// Settings may differ in all but the problem: precision, forces, work-group. Throws a usage Error
/// for settings that a side's device does not support.
Comparison compare_nbody(const std::array<ProgramLibrary*, 2>& sides, const std::array<NbodySettings, 2>& settings,
                         const Bodies& bodies, const BetweenSlices& between);

}  // namespace orrery
