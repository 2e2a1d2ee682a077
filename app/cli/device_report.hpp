/// A device as it is told to people and to programs.
#pragma once

#include <nlohmann/json.hpp>

#include "compute/device/device_info.hpp"

namespace orrery::cli {

nlohmann::ordered_json as_json(const DeviceInfo& device);
/// A line, and a second one where it cannot be used, to standard output.
void print_device(const DeviceInfo& device);

}  // namespace orrery::cli
