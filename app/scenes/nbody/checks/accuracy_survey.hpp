/// What a step of given bodies costs for each force error that a person may ask of the tree, beside all pairs. Any
/// thread; waits for the device.
#pragma once

#include <functional>
#include <vector>

#include "compute/program/program.hpp"
#include "scenes/nbody/bodies/body.hpp"
#include "scenes/nbody/model/settings.hpp"

namespace orrery {

/// Milliseconds of a step for each force error; of all pairs the same for each.
struct SurveyedCosts {
  std::vector<double> errors, quadrupole, monopole, all_pairs;
};

/// Calibrates trees of both orders for each error and times steps that move nothing. `between` is told the finished
/// fraction after each of them; an exception of it ends the survey. Throws Error.
SurveyedCosts survey_accuracy(ProgramLibrary& programs, const NbodySettings& settings, const Bodies& bodies,
                              const std::function<void(double)>& between);

}  // namespace orrery
