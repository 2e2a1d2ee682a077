/// The number of bodies that a device's memory holds.
#pragma once

#include "base/error.hpp"
#include "compute/device/device_info.hpp"
#include "scenes/nbody/model/settings.hpp"

namespace orrery {

/// Counts the buffers of a simulation with these forces, and those for drawing; assumes that no other program uses the
/// memory. `automatic`, which is not decided yet, counts as all pairs.
std::size_t most_bodies(const DeviceInfo& device, Precision precision, Forces forces = Forces::automatic);

/// Bytes of the simulation's buffers; a tree has its standard shape.
std::size_t bytes_of_simulation(const DeviceInfo& device, Precision precision, std::size_t bodies, Forces forces);

/// Throws a usage Error with the needed and the available memory, and the largest number that fits. 0 (auto) always
/// passes.
void check_memory(const DeviceInfo& device, Precision precision, std::size_t bodies, Forces forces = Forces::automatic);

/// The Error of a failed allocation, extended by the number of bodies and the largest number that fits.
Error with_most_bodies(const Error& error, const DeviceInfo& device, Precision precision, std::size_t bodies,
                       Forces forces = Forces::automatic);

}  // namespace orrery
