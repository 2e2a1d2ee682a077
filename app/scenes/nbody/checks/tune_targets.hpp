/// Tune targets time the kernels of bodies and check their results.
#pragma once

#include <memory>

#include "compute/program/program.hpp"
#include "scenes/nbody/bodies/body.hpp"
#include "scenes/nbody/tuning/tuning.hpp"

namespace orrery {

/// One evaluation of the field, from the building of the tree on. Each candidate gets the opening angle that keeps the
/// default force error, so that speeds are compared at the same error.
std::unique_ptr<TuneTarget> tree_tune_target(ProgramLibrary& programs, std::size_t bodies);

/// Bodies of a Plummer sphere with different masses, rounded to the precision.
Bodies tuning_bodies(std::size_t count, Precision precision);
inline constexpr double tuning_softening = 0.05;

TuneSubject advance_tune_subject();
std::unique_ptr<TuneTarget> advance_tune_target(ProgramLibrary& programs);

/// Forces among this number of bodies. `programs` must outlive it. Throws Error for what the device cannot hold.
std::unique_ptr<TuneTarget> nbody_tune_target(ProgramLibrary& programs, Precision precision, std::size_t bodies);

}  // namespace orrery
