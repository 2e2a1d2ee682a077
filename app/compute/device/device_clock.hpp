/// The device's clock, if the driver can read it.
#pragma once

#include <cstdint>
#include <optional>

#include "compute/device/opencl.hpp"

namespace orrery {

/// Present time of the clock of event times, in nanoseconds (clGetDeviceAndHostTimer, OpenCL 2.1); nothing if driver or
/// loader lack the call. Any thread.
std::optional<std::int64_t> device_time(const cl::Device& device);

}  // namespace orrery
