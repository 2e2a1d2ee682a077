/// Finds the tree's accuracy that gives the force error that a person asked for.
#pragma once

#include "scenes/nbody/checks/force_error_sample.hpp"

namespace orrery {

/// Evaluates the field some times and compares random bodies' accelerations with sums in double, until 99 of 100 keep
/// `settings.force_error`; the simulation then has the accuracy and its field. The result follows from the bodies
/// alone. Nothing to do without a tree, or where an opening angle was given. Waits; the thread that owns the queue.
void calibrate_tree(ProgramLibrary& programs, Queue& queue, NbodySimulation& simulation, const NbodySettings& settings);

/// Sorted errors of `draws` draws from the present field.
std::vector<double> sampled_errors(ProgramLibrary& programs, Queue& queue, const NbodySimulation& simulation,
                                   double softening, std::uint64_t draws);

}  // namespace orrery
