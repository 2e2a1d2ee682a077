/// Finds and holds the tree's accuracy for the requested force error, and measures the cost of accuracy. Any thread;
/// waits for the device.
#pragma once

#include <functional>
#include <vector>

#include "compute/program/program.hpp"
#include "scenes/nbody/model/force_error_sample.hpp"
#include "scenes/nbody/model/settings.hpp"

namespace orrery {

/// Evaluates the field some times and compares random bodies' accelerations with sums in double, until 99 of 100 keep
/// `settings.force_error`; the simulation then has the accuracy and its field. The result follows from the bodies
/// alone, and is returned. A given opening angle determines the accuracy; nothing happens without a tree. `programs`
/// are of the first device. Waits.
TreeAccuracy calibrate_tree(ProgramLibrary& programs, NbodySimulation& simulation, const NbodySettings& settings);

/// Milliseconds of a step for each force error; for all pairs, equal values.
struct SurveyedCosts {
  std::vector<double> errors, quadrupole, monopole, all_pairs;
};

/// The cost of a step of these bodies for typical force errors of a tree, and by all pairs. Calibrates trees of both
/// orders for each error and times steps that move nothing. `between` receives the finished fraction after each tree;
/// its exception ends the survey. Throws Error.
SurveyedCosts survey_accuracy(ProgramLibrary& programs, const NbodySettings& settings, const Bodies& bodies,
                              const std::function<void(double)>& between);

}  // namespace orrery
