/// A device as text and as JSON, with all OpenCL properties and data about the system.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "compute/device/device_info.hpp"
#include "compute/device/opencl.hpp"

namespace orrery::cli {

nlohmann::ordered_json as_json(const DeviceInfo& device);
/// Prints a line, and others if the device cannot be used or needs care, to standard output.
void print_device(const DeviceInfo& device);

/// Every property by its OpenCL name without "CL_DEVICE_": limits, number formats, sub-groups, images, memory,
/// versions. A refused property has the error code in place of its value. Calls the driver; throws nothing.
nlohmann::ordered_json device_properties(const cl::Device& device);
/// All platforms: name, vendor, version, extensions. Throws nothing.
nlohmann::ordered_json platform_properties();
/// Operating system, processor and OpenCL loader, and which of the drivers' environment variables are set (their names
/// alone). Names neither the host nor the user.
nlohmann::ordered_json system_properties();

/// The text without private data: user and host names, and the folders of this user and program.
std::string without_places(std::string text);

}  // namespace orrery::cli
