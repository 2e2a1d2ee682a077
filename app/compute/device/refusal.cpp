#include "compute/device/refusal.hpp"

#include <algorithm>
#include <array>

#include "base/text.hpp"

namespace orrery {
namespace {

std::string text(std::size_t bytes) { return bytes_text(static_cast<double>(bytes)); }

bool is_of_a_large_launch(cl_int code) {
  return code == CL_INVALID_WORK_GROUP_SIZE || code == CL_INVALID_WORK_ITEM_SIZE || code == CL_OUT_OF_RESOURCES;
}

/// Limits of a work-group, by the device and by the compiled kernel.
struct Limits {
  std::size_t device, kernel, local_there, local_taken;
};

Limits limits_of(const cl::Kernel& kernel, const cl::Device& device) {
  return {device.getInfo<CL_DEVICE_MAX_WORK_GROUP_SIZE>(), kernel.getWorkGroupInfo<CL_KERNEL_WORK_GROUP_SIZE>(device),
          device.getInfo<CL_DEVICE_LOCAL_MEM_SIZE>(), kernel.getWorkGroupInfo<CL_KERNEL_LOCAL_MEM_SIZE>(device)};
}

std::string advice(std::size_t largest) {
  const std::string size = std::to_string(largest);
  return "use --work-group " + size + " or smaller, or auto";
}

}  // namespace

bool is_memory_refusal(const Error& error) {
  static constexpr std::array codes{CL_MEM_OBJECT_ALLOCATION_FAILURE, CL_INVALID_BUFFER_SIZE, CL_OUT_OF_HOST_MEMORY,
                                    CL_MAP_FAILURE};
  return std::ranges::any_of(codes, [&](cl_int code) { return error.details().code == code_name(code); });
}

bool is_refusal(const Error& error) {
  const std::string& code = error.details().code;
  return error.fault() == Fault::usage || is_memory_refusal(error) || code == code_name(CL_INVALID_WORK_GROUP_SIZE) ||
         code == code_name(CL_INVALID_WORK_ITEM_SIZE);
}

Error launch_error(const cl::Error& error, const std::string& name, const cl::Kernel& kernel, std::size_t work_group,
                   const cl::Device& device) {
  const std::string where = device.getInfo<CL_DEVICE_NAME>(), attempted = "launching the kernel " + name;
  if (!is_of_a_large_launch(error.err())) return opencl_error(error, attempted, where);
  try {
    const Limits limits = limits_of(kernel, device);
    const std::size_t allowed = std::min(limits.device, limits.kernel);
    if (work_group > allowed)
      return {Fault::usage,
              {attempted + " was refused for a work-group of",
               std::to_string(work_group),
               where,
               code_name(error.err()),
               "the device allows at most " + std::to_string(limits.device) + ", the compiled kernel at most " +
                   std::to_string(limits.kernel) + "; " + advice(allowed),
               {}}};
    if (limits.local_taken > limits.local_there)  // the tile has the size of the group
      return {Fault::usage,
              {attempted + " was refused for local memory of",
               text(limits.local_taken),
               where,
               code_name(error.err()),
               "the device has " + text(limits.local_there) + " for " + std::to_string(work_group) + " work-items; " +
                   advice(std::max<std::size_t>(1, work_group * limits.local_there / limits.local_taken)),
               {}}};
    if (error.err() == CL_OUT_OF_RESOURCES) return opencl_error(error, attempted, where);
    return {Fault::failure,
            {attempted + " was refused for a work-group of",
             std::to_string(work_group),
             where,
             code_name(error.err()),
             "the device allows at most " + std::to_string(limits.device) + ", the compiled kernel at most " +
                 std::to_string(limits.kernel) + ", but the launch was refused; choose a smaller --work-group, or auto",
             {}}};
  } catch (const cl::Error&) {  // the device does not report its limits either
    return opencl_error(error, attempted, where);
  }
}

Error allocation_error(const cl::Error& error, std::size_t bytes, const DeviceInfo& device) {
  return {Fault::failure,
          {"the device refused a buffer of",
           text(bytes),
           device.name,
           code_name(error.err()),
           "one buffer may take " + text(device.allocation_bytes) + " of the device's " + text(device.global_bytes) +
               ", which other programs use too; try fewer bodies, a smaller picture, or another device",
           {}}};
}

}  // namespace orrery
