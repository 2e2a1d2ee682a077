/// Asks a compiled kernel for its limits.
#pragma once

#include "compute/device/device.hpp"
#include "compute/device/work_group.hpp"

namespace orrery {

/// `local_bytes_per_item` is what the kernel's tile takes for each work-item, so that sizes whose tile does not fit
/// the device's local memory are left out.
WorkGroupLimits work_group_limits(const cl::Kernel& kernel, const Device& device, std::string name, std::size_t in_use,
                                  std::size_t local_bytes_per_item = 0);
/// Throws a usage Error that names the value, the limit and the largest that fits. 0 (auto) is always fine.
void check_work_group(std::size_t requested, const DeviceInfo& device, std::size_t local_bytes_per_item = 0);
/// Why the device cannot have so large a work-group whatever the kernel, empty when it can.
std::string work_group_refusal(std::size_t work_group, const DeviceInfo& device);
/// As check_work_group(), for what only the compiled kernel tells: its registers, and the local memory of a group.
void check_compiled(const WorkGroupLimits& limits, const DeviceInfo& device);

}  // namespace orrery
