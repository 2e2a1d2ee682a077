/// A device as text and as JSON.
#pragma once

#include <nlohmann/json.hpp>

#include "compute/device/device_info.hpp"

namespace orrery::cli {

nlohmann::ordered_json as_json(const DeviceInfo& device);
/// Prints a line, and others if the device cannot be used or needs care, to standard output.
void print_device(const DeviceInfo& device);

}  // namespace orrery::cli
