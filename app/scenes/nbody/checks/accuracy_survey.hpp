/// What a step of given bodies costs for each force error that a person may ask of the tree, beside all pairs. Any
/// thread; waits for the device.
#pragma once

#include <functional>

#include "compute/program/program.hpp"
#include "scenes/nbody/bodies/body.hpp"
#include "scenes/nbody/model/settings.hpp"
#include "scenes/nbody/panels/snapshot.hpp"

namespace orrery {

/// Calibrates trees of both orders for each error and times steps that move nothing. `between` is told the finished
/// fraction after each of them; an exception of it ends the survey. Throws Error.
AccuracyCosts survey_accuracy(ProgramLibrary& programs, const NbodySettings& settings, const Bodies& bodies,
                              const std::function<void(double)>& between);

}  // namespace orrery
