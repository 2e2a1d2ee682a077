/// The same bodies moved by the same steps in two ways. Any thread; waits for the devices.
#pragma once

#include "compute/measure/side_by_side.hpp"
#include "compute/program/program.hpp"
#include "scenes/nbody/bodies/body.hpp"
#include "scenes/nbody/model/settings.hpp"

namespace orrery {

/// Settings may differ in anything that is no part of the problem: precision, forces, work-group. Throws a usage Error
/// for what a side's device cannot do.
Comparison compare_nbody(const std::array<ProgramLibrary*, 2>& sides, const std::array<NbodySettings, 2>& settings,
                         const Bodies& bodies, const BetweenSlices& between);

}  // namespace orrery
