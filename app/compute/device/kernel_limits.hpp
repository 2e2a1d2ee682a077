/// Limits of compiled kernels.
#pragma once

#include "compute/device/device.hpp"
#include "compute/device/work_group.hpp"

namespace orrery {

/// `local_bytes_per_item` is the local memory of the kernel's tile per work-item; sizes whose tile does not fit in
/// local memory are left out.
WorkGroupLimits work_group_limits(const cl::Kernel& kernel, const Device& device, std::string name, std::size_t in_use,
                                  std::size_t local_bytes_per_item = 0);
/// Throws a usage Error with the value, the limit and the largest size that fits. 0 (auto) is always accepted.
void check_work_group(std::size_t requested, const DeviceInfo& device, std::size_t local_bytes_per_item = 0);
/// Why no kernel can have so large a work-group on the device; empty if one can.
std::string work_group_refusal(std::size_t work_group, const DeviceInfo& device);
/// Like check_work_group(), with the limits of the compiled kernel: registers and local memory.
void check_compiled(const WorkGroupLimits& limits, const DeviceInfo& device);

}  // namespace orrery
