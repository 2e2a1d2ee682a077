/// Whether laws are what they say: numbers on a sample of the world's particles, and forces that are the derivative of
/// the energy. Waits for the device; any thread.
#pragma once

#include "compute/program.hpp"
#include "model/particles/world.hpp"

namespace orrery::particles {

/// Throws a usage Error that names law, distance, and both values.
void check_laws(ProgramLibrary& programs, const World& world);

}  // namespace orrery::particles
