/// The machine's OpenCL devices: found, described and chosen.
#pragma once

#include <span>
#include <string_view>

#include "compute/device/device_info.hpp"
#include "compute/device/opencl.hpp"

namespace orrery {

/// All platforms and devices, in the loader's order. A failing driver gets an entry with a fault; nothing is thrown.
std::vector<PlatformInfo> enumerate_devices();
/// The usable devices of all platforms, fastest first by compute units × clock × lanes, GPUs before CPUs.
std::vector<DeviceInfo> ranked_devices(std::span<const PlatformInfo> platforms);
/// Resolves --device: "P:D", a part of a name (any case), or "" for the fastest. Throws a usage Error that lists the
/// devices, or a failure with installation hints if there are none.
DeviceInfo choose_device(std::span<const PlatformInfo> platforms, std::string_view spec);
/// "0:0 Some CPU, 1:0 Some GPU", for messages.
std::string listing(std::span<const PlatformInfo> platforms);
/// Packages of OpenCL drivers for NVIDIA, AMD, Intel and CPUs, one per line.
std::string_view installation_hints();

/// Known faults of a driver of these versions, as text that follows the device's name; usually empty.
std::string driver_notice(std::string_view platform_version, std::string_view device_version);

/// True for a device of another machine, through PoCL-Remote.
bool is_remote(const DeviceInfo& device);
/// Compute units of sub-device `part` of `parts`, divided as evenly as possible.
std::uint32_t units_of_part(std::uint32_t units, std::uint32_t part, std::uint32_t parts);
/// The driver's handle of the device `info`. Throws an Error if the device is no longer available.
cl::Device handle_of(const DeviceInfo& info);
/// The device's platform in the form of context properties. getInfo returns a cl_platform_id in older releases of the
/// bindings and a cl::Platform in newer ones; this function compiles with both.
cl_context_properties platform_property(const cl::Device& device);

/// An opened device: its context. Movable; queues and programs made from it keep the OpenCL objects alive.
class Device {
 public:
  /// `sharing` are the context properties of the GL context (see interop/), without the final zero.
  explicit Device(const DeviceInfo& info, std::span<const cl_context_properties> sharing = {});
  /// A device of a context with several devices.
  Device(const DeviceInfo& info, cl::Device device, cl::Context context)
      : info_(info), device_(std::move(device)), context_(std::move(context)) {}

  const DeviceInfo& info() const { return info_; }
  const cl::Device& handle() const { return device_; }
  const cl::Context& context() const { return context_; }

  /// A device buffer; throws an Error with the size and the limit if it is refused.
  cl::Buffer buffer(std::size_t bytes, cl_mem_flags flags = CL_MEM_READ_WRITE) const;
  /// A small read-only table for kernels.
  template <class T>
  cl::Buffer read_only(std::span<const T> content) const {
    return buffer_of(content.data(), content.size_bytes());
  }

 private:
  cl::Buffer buffer_of(const void* content, std::size_t bytes) const;

  DeviceInfo info_;
  cl::Device device_;
  cl::Context context_;
};

}  // namespace orrery
