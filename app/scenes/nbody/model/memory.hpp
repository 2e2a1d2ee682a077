/// The number of bodies that a device's memory holds.
#pragma once

#include "base/error.hpp"
#include "compute/device/device_info.hpp"
#include "scenes/nbody/model/settings.hpp"

namespace orrery {

/// The terms that determine the buffers of a simulation; a tree has its standard shape. Forces that are not decided yet
/// count as all pairs.
struct NbodyStorage {
  NbodyStorage(Precision of_precision, Forces of_forces = Forces::automatic)
      : precision(of_precision), forces(of_forces) {}
  NbodyStorage(const NbodySettings& settings, Precision of_precision);

  Precision precision;
  Forces forces;
  bool contacts = false, individual = false;
};

/// Counts the buffers of a simulation on one device, and those for drawing; assumes that no other program uses the
/// memory.
std::size_t most_bodies(const DeviceInfo& device, const NbodyStorage& storage);

/// Bytes of the simulation's buffers on one device.
std::size_t bytes_of_simulation(const DeviceInfo& device, const NbodyStorage& storage, std::size_t bodies);

/// Throws a usage Error with the needed and the available memory, and the largest number that fits. 0 (auto) always
/// passes.
void check_memory(const DeviceInfo& device, const NbodyStorage& storage, std::size_t bodies);

/// The Error of a failed allocation, extended by the number of bodies and the largest number that fits.
Error with_most_bodies(const Error& error, const DeviceInfo& device, const NbodyStorage& storage, std::size_t bodies);

}  // namespace orrery
