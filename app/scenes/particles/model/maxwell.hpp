/// Velocities of a gas, drawn on a device. Any thread; waits.
#pragma once

#include <vector>

#include "compute/program/program.hpp"
#include "scenes/particles/world/world.hpp"

namespace orrery::particles {

/// Of Maxwell and Boltzmann's distribution at that temperature, one for each particle of the world
/// (kernels/random.clh): by the world's seed, and the same bits for any work-group; 0: what suits the device. Mass 0
/// stays at rest. As in draw_velocities(), the drift of all is taken away and nothing else is put right.
std::vector<Vector> maxwell_velocities(ProgramLibrary& programs, const World& world, double temperature,
                                       std::size_t work_group = 0);

/// No forces at all, and no thermostat: nothing but velocities, which are drawn on the device.
bool is_ideal_gas(const World& world);

}  // namespace orrery::particles
