/// Finds the tree's accuracy that gives the force error that a person asked for, and lets it be held.
#pragma once

#include "scenes/nbody/model/force_error_sample.hpp"

namespace orrery {

/// Evaluates the field some times and compares random bodies' accelerations with sums in double, until 99 of 100 keep
/// `settings.force_error`; the simulation then has the accuracy and its field. The result follows from the bodies
/// alone, and is returned. Where an opening angle was given, the accuracy is its; nothing happens without a tree.
/// `programs` are of the first device. Waits.
TreeAccuracy calibrate_tree(ProgramLibrary& programs, NbodySimulation& simulation, const NbodySettings& settings);

}  // namespace orrery
