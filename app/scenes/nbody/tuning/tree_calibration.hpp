/// Finds the tree's accuracy that gives the force error that a person asked for, lets it be held, and tells what it
/// costs. Any thread; waits for the device.
#pragma once

#include <functional>
#include <vector>

#include "compute/program/program.hpp"
#include "scenes/nbody/model/force_error_sample.hpp"
#include "scenes/nbody/model/settings.hpp"

namespace orrery {

/// Evaluates the field some times and compares random bodies' accelerations with sums in double, until 99 of 100 keep
/// `settings.force_error`; the simulation then has the accuracy and its field. The result follows from the bodies
/// alone, and is returned. Where an opening angle was given, the accuracy is its; nothing happens without a tree.
/// `programs` are of the first device. Waits.
TreeAccuracy calibrate_tree(ProgramLibrary& programs, NbodySimulation& simulation, const NbodySettings& settings);

/// Milliseconds of a step for each force error; of all pairs the same for each.
struct SurveyedCosts {
  std::vector<double> errors, quadrupole, monopole, all_pairs;
};

/// The cost of a step of these bodies for each force error that a person may ask of the tree, beside all pairs.
/// Calibrates trees of both orders for each error and times steps that move nothing. `between` is told the finished
/// fraction after each of them; an exception of it ends the survey. Throws Error.
SurveyedCosts survey_accuracy(ProgramLibrary& programs, const NbodySettings& settings, const Bodies& bodies,
                              const std::function<void(double)>& between);

}  // namespace orrery
