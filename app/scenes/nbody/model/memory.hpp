/// How many bodies a device's memory holds.
#pragma once

#include <span>

#include "base/error.hpp"
#include "compute/device/device_info.hpp"
#include "scenes/nbody/model/settings.hpp"

namespace orrery {

/// By the buffers of a simulation and what is drawn of it, where nothing else uses the memory.
std::size_t most_bodies(const DeviceInfo& device, Precision precision);

/// Throws a usage Error with the number, the memory and the largest number that fits. 0 (auto) always does.
void check_memory(const DeviceInfo& device, Precision precision, std::size_t bodies);

/// The same Error where the memory had no room for so many bodies: with their number and the largest that fits.
Error with_most_bodies(const Error& error, const DeviceInfo& device, Precision precision, std::size_t bodies);

}  // namespace orrery
