/// A device as text and as JSON, with all that OpenCL tells of it, and what is known of the system around it.
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
/// versions. What the driver refuses to tell has the code of its error in place of a value. Calls the driver; throws
/// nothing.
nlohmann::ordered_json device_properties(const cl::Device& device);
/// All platforms: name, vendor, version, extensions. Throws nothing.
nlohmann::ordered_json platform_properties();
/// Operating system, processor and OpenCL loader, and which of the drivers' environment variables are set (their names
/// alone). Names neither the host nor the user.
nlohmann::ordered_json system_properties();

/// The text without what tells whose machine it is: user and host names, and the folders of this user and program.
std::string without_places(std::string text);

}  // namespace orrery::cli
