/// The device's clock, where the driver can read it.
#pragma once

#include <cstdint>
#include <optional>

#include "compute/device/opencl.hpp"

namespace orrery {

/// Nanoseconds of the clock that event times are of, now (clGetDeviceAndHostTimer, OpenCL 2.1); nothing where driver or
/// loader has no such call. Any thread.
std::optional<std::int64_t> device_time(const cl::Device& device);

}  // namespace orrery
