/// What a device refuses although it works: a launch that is too large for it, or more memory than it has.
#pragma once

#include "compute/device/device_info.hpp"
#include "compute/device/opencl.hpp"

namespace orrery {

/// The device can go on with less; any other fault of a driver may mean that its context is lost.
bool is_refusal(const Error& error);
/// … because there is not enough memory.
bool is_memory_refusal(const Error& error);

/// Of a failed launch with so many work-items a group: where it is too large, the value, the limits and the largest
/// that fits, as a usage Error; else as opencl_error().
Error launch_error(const cl::Error& error, const std::string& name, const cl::Kernel& kernel, std::size_t work_group,
                   const cl::Device& device);

/// Of a failed allocation: how much, and what the device has.
Error allocation_error(const cl::Error& error, std::size_t bytes, const DeviceInfo& device);

}  // namespace orrery
