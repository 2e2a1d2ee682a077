/// Requests that a working device refuses: a launch that is too large, or more memory than it has.
#pragma once

#include "compute/device/device_info.hpp"
#include "compute/device/opencl.hpp"

namespace orrery {

/// True if the device can continue with a smaller request; after other errors its context may be lost.
bool is_refusal(const Error& error);
/// True if there is not enough memory.
bool is_memory_refusal(const Error& error);

/// The Error of a failed launch with `work_group` work-items: if that is too large, a usage Error with the value, the
/// limits and the largest size that fits; otherwise like opencl_error().
Error launch_error(const cl::Error& error, const std::string& name, const cl::Kernel& kernel, std::size_t work_group,
                   const cl::Device& device);

/// The Error of a failed allocation, with its size and the device's memory.
Error allocation_error(const cl::Error& error, std::size_t bytes, const DeviceInfo& device);

}  // namespace orrery
