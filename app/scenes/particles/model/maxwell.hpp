/// Draws the velocities of a gas on a device. Any thread; waits.
#pragma once

#include <vector>

#include "compute/program/program.hpp"
#include "scenes/particles/world/world.hpp"

namespace orrery::particles {

/// Velocities of Maxwell and Boltzmann's distribution at this temperature for each particle of the world
/// (kernels/common/random.clh), from the world's seed, with the same bits for any work-group; 0 chooses it. Mass 0
/// stays at rest. As in draw_velocities(), the total drift is subtracted, without any other correction.
std::vector<Vector> maxwell_velocities(ProgramLibrary& programs, const World& world, double temperature,
                                       std::size_t work_group = 0);

/// What it builds.
ProgramSpec maxwell_program();

/// No forces and no thermostat: all that a device has to do is to draw velocities.
bool is_ideal_gas(const World& world);

}  // namespace orrery::particles
