/// Properties of a device: a plain snapshot without OpenCL, for tables, panels and files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace orrery {

enum class DeviceClass { cpu, gpu, accelerator };
constexpr std::string_view name_of(DeviceClass device_class) {
  switch (device_class) {
    case DeviceClass::cpu:
      return "CPU";
    case DeviceClass::gpu:
      return "GPU";
    case DeviceClass::accelerator:
      return "accelerator";
  }
  return "device";
}

struct DeviceId {
  int platform = 0;
  int device = 0;
  bool operator==(const DeviceId&) const = default;
};
/// "0:1", the notation of `orrery devices` and --device.
std::string text_of(DeviceId id);

struct DeviceInfo {
  DeviceId id;
  std::string name;
  std::string vendor;
  std::string driver;    ///< driver version
  std::string version;   ///< "OpenCL 3.0 PoCL"
  std::string platform;  ///< the platform's name
  DeviceClass device_class = DeviceClass::cpu;
  std::uint32_t compute_units = 0;
  std::uint32_t clock_mhz = 0;
  std::uint64_t global_bytes = 0;
  std::uint64_t allocation_bytes = 0;  ///< largest single buffer
  std::uint64_t local_bytes = 0;       ///< local memory of a work-group
  bool local_is_dedicated = false;
  std::size_t max_work_group = 0;            ///< work-items
  std::vector<std::size_t> max_work_items;   ///< limit in each dimension
  std::uint32_t preferred_float_width = 1;   ///< vector lanes; on a CPU at least those of its registers
  std::uint32_t preferred_double_width = 0;  ///< 0: no doubles
  bool fp64 = false;
  bool float_fma = false, double_fma = false;  ///< fused multiply-add in hardware
  bool int64_atomics = false;
  bool unified_memory = false;
  std::uint64_t timer_resolution_ns = 0;
  std::uint32_t max_parts = 1;        ///< number of sub-devices it can be divided into
  std::uint32_t part = 0, parts = 1;  ///< index and number of sub-devices
  std::string extensions;
  std::string fault;   ///< why the device cannot be used; empty if it can
  std::string notice;  ///< known faults of its driver; usually empty

  bool has_fma(bool doubles) const { return doubles ? double_fma : float_fma; }
};
constexpr bool is_cpu(const DeviceInfo& device) { return device.device_class == DeviceClass::cpu; }

/// The same device, or the same part of one.
inline bool is_same(const DeviceInfo& a, const DeviceInfo& b) { return a.id == b.id && a.part == b.part; }

struct PlatformInfo {
  std::string name;
  std::string vendor;
  std::string version;
  std::vector<DeviceInfo> devices;
  std::string fault;  ///< why the devices cannot be listed; empty if they can
};

}  // namespace orrery
