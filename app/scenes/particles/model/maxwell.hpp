/// Draws the velocities of a gas on a device. Any thread; waits.
#pragma once

#include <vector>

#include "compute/program/program.hpp"
#include "scenes/particles/world/world.hpp"

namespace orrery::particles {

/// Velocities of Maxwell and Boltzmann's distribution at this temperature for each particle of the world
/// (kernels/common/random.clh), from the world's seed, with the same bits for any work-group; 0 chooses it. Mass 0
/// stays at rest. The total drift is subtracted as in draw_velocities(), without any other correction.
std::vector<Vector> maxwell_velocities(ProgramLibrary& programs, const World& world, double temperature,
                                       std::size_t work_group = 0);

/// The program that maxwell_velocities() builds.
ProgramSpec maxwell_program();

/// True without forces and thermostat, so that the device only has to draw velocities.
bool is_ideal_gas(const World& world);

}  // namespace orrery::particles
