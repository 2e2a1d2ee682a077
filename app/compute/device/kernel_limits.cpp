#include "compute/device/kernel_limits.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "base/text.hpp"

namespace orrery {
namespace {

std::size_t largest_that_fits(const DeviceInfo& device, std::size_t local_bytes_per_item) {
  std::size_t largest = device.max_work_group;
  if (!device.max_work_items.empty()) largest = std::min(largest, device.max_work_items[0]);
  if (local_bytes_per_item > 0) largest = std::min<std::size_t>(largest, device.local_bytes / local_bytes_per_item);
  return largest;
}

// Powers of two, and one and three times the preferred multiple between them.
std::vector<std::size_t> candidates(std::size_t maximum, std::size_t multiple) {
  std::set<std::size_t> sizes;
  for (std::size_t size = 1; size <= maximum; size *= 2) sizes.insert(size);
  for (std::size_t size = 3 * multiple; size <= maximum; size *= 2) sizes.insert(size);
  return {sizes.begin(), sizes.end()};
}

}  // namespace

WorkGroupLimits work_group_limits(const cl::Kernel& kernel, const Device& device, std::string name, std::size_t in_use,
                                  std::size_t local_bytes_per_item) {
  WorkGroupLimits limits;
  limits.kernel = std::move(name);
  limits.in_use = in_use;
  try {
    limits.kernel_maximum = kernel.getWorkGroupInfo<CL_KERNEL_WORK_GROUP_SIZE>(device.handle());
    limits.preferred_multiple = std::max<std::size_t>(
        1, kernel.getWorkGroupInfo<CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE>(device.handle()));
    limits.local_bytes = kernel.getWorkGroupInfo<CL_KERNEL_LOCAL_MEM_SIZE>(device.handle());
    limits.private_bytes = kernel.getWorkGroupInfo<CL_KERNEL_PRIVATE_MEM_SIZE>(device.handle());
  } catch (const cl::Error& error) {
    throw opencl_error(error, "asking the kernel " + limits.kernel + " for its limits", device.info().name);
  }
  const std::size_t maximum = largest_that_fits(device.info(), local_bytes_per_item);
  limits.legal = candidates(maximum, limits.preferred_multiple);
  return limits;
}

void check_work_group(std::size_t requested, const DeviceInfo& device, std::size_t local_bytes_per_item) {
  const std::size_t largest = largest_that_fits(device, local_bytes_per_item);
  if (requested <= largest) return;
  std::string limit = "a whole number from 1 to " + std::to_string(largest);
  if (largest < device.max_work_group)
    limit += " (the local memory of " + bytes_text(static_cast<double>(device.local_bytes)) + " holds no larger tile)";
  throw usage_error("--work-group", std::to_string(requested), limit + ", or auto", device.name);
}

std::string work_group_refusal(std::size_t work_group, const DeviceInfo& device) {
  const std::size_t most = largest_that_fits(device, 0);
  return work_group <= most ? std::string() : "too many work-items; the device allows at most " + std::to_string(most);
}

void check_compiled(const WorkGroupLimits& limits, const DeviceInfo& device) {
  if (limits.local_bytes > device.local_bytes)
    throw usage_error("the local memory of a work-group", bytes_text(static_cast<double>(limits.local_bytes)),
                      "at most " + bytes_text(static_cast<double>(device.local_bytes)), device.name);
  if (limits.in_use > limits.kernel_maximum)
    throw usage_error("--work-group", std::to_string(limits.in_use),
                      "a whole number from 1 to " + std::to_string(limits.kernel_maximum) +
                          " (the compiled kernel's registers allow no more), or auto",
                      device.name);
}

}  // namespace orrery
