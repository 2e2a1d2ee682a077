#include "compute/device/device.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <mutex>
#include <optional>

#include "base/text.hpp"
#include "compute/device/call_watch.hpp"
#include "compute/device/refusal.hpp"

namespace orrery {
namespace {

// Some drivers include the terminating zero in a text.
constexpr std::string_view blanks(" \t\n\v\f\r\0", 7);

std::string bytes_of(const cl::Device& device, cl_device_info property, std::size_t size) {
  std::string bytes(size, '\0');
  return clGetDeviceInfo(device(), property, size, bytes.data(), nullptr) == CL_SUCCESS ? bytes : std::string();
}

// Texts that are equal for two listings of one driver and its devices, and differ for different drivers or devices.
std::vector<std::string> identity_of(const cl::Platform& platform) {
  constexpr cl_device_info uuid = 0x106A, pci_place = 0x410F;  // from cl_khr_device_uuid and cl_khr_pci_bus_info
  std::vector<std::string> parts{platform.getInfo<CL_PLATFORM_NAME>(), platform.getInfo<CL_PLATFORM_VENDOR>(),
                                 platform.getInfo<CL_PLATFORM_VERSION>()};
  std::vector<cl::Device> devices;
  platform.getDevices(CL_DEVICE_TYPE_ALL, &devices);
  for (const cl::Device& device : devices) {
    parts.push_back(device.getInfo<CL_DEVICE_NAME>());
    parts.push_back(device.getInfo<CL_DRIVER_VERSION>());
    parts.push_back(bytes_of(device, uuid, 16));
    parts.push_back(bytes_of(device, pci_place, 16));
  }
  return parts;
}

bool is_same_driver(const cl::Platform& a, const cl::Platform& b) {
  try {
    return a() == b() || identity_of(a) == identity_of(b);
  } catch (const cl::Error&) {  // a platform without devices
    return false;
  }
}

// Lists a driver once that is installed twice: by name and by path, by a link or as a copy.
std::vector<cl::Platform> platforms() {
  std::vector<cl::Platform> found, different;
  try {
    cl::Platform::get(&found);
  } catch (const cl::Error&) {  // CL_PLATFORM_NOT_FOUND_KHR: no platform
  }
  for (const cl::Platform& platform : found)
    if (std::ranges::none_of(different, [&](const cl::Platform& other) { return is_same_driver(platform, other); }))
      different.push_back(platform);
  return different;
}

DeviceClass class_of(cl_device_type type) {
  if ((type & CL_DEVICE_TYPE_GPU) != 0) return DeviceClass::gpu;
  return (type & CL_DEVICE_TYPE_ACCELERATOR) != 0 ? DeviceClass::accelerator : DeviceClass::cpu;
}

bool is_remote_version(std::string_view device_version) {
  return device_version.find("pocl-remote") != std::string_view::npos;
}

// Sub-devices came with OpenCL 1.2; older drivers return an error.
std::uint32_t most_parts(const cl::Device& device) {
  try {
    const auto ways = device.getInfo<CL_DEVICE_PARTITION_PROPERTIES>();
    const bool divisible = std::ranges::any_of(ways, [](cl_device_partition_property way) {
      return way == CL_DEVICE_PARTITION_BY_COUNTS || way == CL_DEVICE_PARTITION_EQUALLY;
    });
    return divisible ? std::max(1U, device.getInfo<CL_DEVICE_PARTITION_MAX_SUB_DEVICES>()) : 1U;
  } catch (const cl::Error&) {
    return 1;
  }
}

bool host_has_fma() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("fma");
#else
  return false;
#endif
}

// Corrects two reports of Intel's driver for CPUs: it asks for scalar code, which is slower here than vectors that fill
// a register, and it reports fused multiply-adds for doubles only.
void describe_arithmetic(const cl::Device& device, DeviceInfo& info) {
  info.preferred_float_width = device.getInfo<CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT>();
  info.preferred_double_width = device.getInfo<CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE>();
  const auto floats = device.getInfo<CL_DEVICE_SINGLE_FP_CONFIG>(),
             doubles = device.getInfo<CL_DEVICE_DOUBLE_FP_CONFIG>();
  info.fp64 = doubles != 0;
  info.float_fma = (floats & CL_FP_FMA) != 0;
  info.double_fma = (doubles & CL_FP_FMA) != 0;
  if (!is_cpu(info)) return;
  info.preferred_float_width =
      std::max(info.preferred_float_width, device.getInfo<CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT>());
  info.preferred_double_width =
      std::max(info.preferred_double_width, device.getInfo<CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE>());
  if (info.vendor.starts_with("Intel")) info.float_fma = info.float_fma || (info.double_fma && host_has_fma());
}

void describe(const cl::Device& device, DeviceInfo& info) {
  info.name = trimmed(device.getInfo<CL_DEVICE_NAME>(), blanks);
  info.vendor = trimmed(device.getInfo<CL_DEVICE_VENDOR>(), blanks);
  info.driver = trimmed(device.getInfo<CL_DRIVER_VERSION>(), blanks);
  info.version = trimmed(device.getInfo<CL_DEVICE_VERSION>(), blanks);
  info.device_class = class_of(device.getInfo<CL_DEVICE_TYPE>());
  info.compute_units = device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>();
  info.clock_mhz = device.getInfo<CL_DEVICE_MAX_CLOCK_FREQUENCY>();
  info.global_bytes = device.getInfo<CL_DEVICE_GLOBAL_MEM_SIZE>();
  info.allocation_bytes = device.getInfo<CL_DEVICE_MAX_MEM_ALLOC_SIZE>();
  info.local_bytes = device.getInfo<CL_DEVICE_LOCAL_MEM_SIZE>();
  info.local_is_dedicated = device.getInfo<CL_DEVICE_LOCAL_MEM_TYPE>() == CL_LOCAL;
  info.max_work_group = device.getInfo<CL_DEVICE_MAX_WORK_GROUP_SIZE>();
  info.max_work_items = device.getInfo<CL_DEVICE_MAX_WORK_ITEM_SIZES>();
  describe_arithmetic(device, info);
  info.unified_memory = device.getInfo<CL_DEVICE_HOST_UNIFIED_MEMORY>() == CL_TRUE;
  info.timer_resolution_ns = device.getInfo<CL_DEVICE_PROFILING_TIMER_RESOLUTION>();
  info.extensions = trimmed(device.getInfo<CL_DEVICE_EXTENSIONS>(), blanks);
  info.max_parts = most_parts(device);
  info.int64_atomics = info.extensions.find("cl_khr_int64_base_atomics") != std::string::npos;
  if (device.getInfo<CL_DEVICE_AVAILABLE>() != CL_TRUE) info.fault = "the driver reports it as unavailable";
  if (device.getInfo<CL_DEVICE_COMPILER_AVAILABLE>() != CL_TRUE) info.fault = "its driver has no compiler";
}

/// The devices by their places in the first listing: PoCL omits unavailable devices from later ones.
class ListedDevices {
 public:
  void add(DeviceId id, const cl::Device& device) {
    const std::lock_guard lock(mutex_);
    devices_.emplace(std::pair(id.platform, id.device), device);
  }
  std::optional<cl::Device> find(DeviceId id) const {
    const std::lock_guard lock(mutex_);
    const auto found = devices_.find({id.platform, id.device});
    return found == devices_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  mutable std::mutex mutex_;
  std::map<std::pair<int, int>, cl::Device> devices_;
};

ListedDevices& listed_devices() {
  static auto& devices = *new ListedDevices;  // never released, as drivers may have ended before
  return devices;
}

DeviceInfo described(const cl::Device& device, DeviceId id, const PlatformInfo& platform) {
  listed_devices().add(id, device);
  DeviceInfo info;
  info.id = id;
  info.platform = platform.name;
  try {
    describe(device, info);
    info.notice = driver_notice(platform.version, info.version);
  } catch (const cl::Error& error) {
    info.fault = opencl_error(error, "asking for its properties", info.name).what();
  }
  return info;
}

PlatformInfo described(const cl::Platform& platform, int index) {
  PlatformInfo info;
  try {
    info.name = trimmed(platform.getInfo<CL_PLATFORM_NAME>(), blanks);
    info.vendor = trimmed(platform.getInfo<CL_PLATFORM_VENDOR>(), blanks);
    info.version = trimmed(platform.getInfo<CL_PLATFORM_VERSION>(), blanks);
    std::vector<cl::Device> devices;
    platform.getDevices(CL_DEVICE_TYPE_ALL, &devices);
    for (int i = 0; const cl::Device& device : devices) info.devices.push_back(described(device, {index, i++}, info));
  } catch (const cl::Error& error) {
    info.fault = error.err() == CL_DEVICE_NOT_FOUND ? "it has no device"
                                                    : opencl_error(error, "listing its devices", info.name).what();
  }
  return info;
}

double speed_estimate(const DeviceInfo& info) {
  // Lanes: a compute unit of a GPU has 64 to 128; a CPU core has twice its vector width. Intel's driver for CPUs
  // reports no clock in virtual machines.
  constexpr double usual_mhz = 1500;
  const double lanes = info.device_class == DeviceClass::gpu ? 128 : 2 * std::max(1U, info.preferred_float_width);
  return info.compute_units * (info.clock_mhz > 0 ? info.clock_mhz : usual_mhz) * lanes;
}

// Weighted by compute units; equal weights where the driver reports none.
std::vector<cl::Device> newly_divided(const cl::Device& device, const DeviceInfo& info) {
  const auto ways = device.getInfo<CL_DEVICE_PARTITION_PROPERTIES>();
  const auto units = device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>();
  std::vector<cl_device_partition_property> division;
  if (std::ranges::find(ways, CL_DEVICE_PARTITION_BY_COUNTS) != ways.end()) {
    division.push_back(CL_DEVICE_PARTITION_BY_COUNTS);
    for (std::uint32_t part = 0; part < info.parts; ++part) division.push_back(units_of_part(units, part, info.parts));
    division.push_back(CL_DEVICE_PARTITION_BY_COUNTS_LIST_END);
  } else {
    division = {CL_DEVICE_PARTITION_EQUALLY, std::max(1U, units / info.parts)};
  }
  division.push_back(0);
  std::vector<cl::Device> parts;
  cl::Device(device).createSubDevices(division.data(), &parts);
  return parts;
}

// Sub-devices are never released: PoCL 3 frees them together with the last queue's context, and then accesses them to
// free the queue.
std::vector<cl::Device> divided(const cl::Device& device, const DeviceInfo& info) {
  static std::mutex mutex;
  static auto& kept = *new std::map<std::pair<cl_device_id, std::uint32_t>, std::vector<cl::Device>>;
  const std::lock_guard lock(mutex);
  std::vector<cl::Device>& parts = kept[{device(), info.parts}];
  if (parts.empty()) parts = newly_divided(device, info);
  return parts;
}

}  // namespace

namespace {

std::string faults_of(std::span<const PlatformInfo> all) {
  std::string text;
  const auto add = [&](const std::string& name, const std::string& fault) {
    if (!fault.empty()) text += (text.empty() ? "" : "; ") + name + ": " + fault;
  };
  for (const PlatformInfo& platform : all) {
    add(platform.name, platform.fault);
    for (const DeviceInfo& device : platform.devices) add(device.name, device.fault);
  }
  return text;
}

}  // namespace

bool is_remote(const DeviceInfo& device) { return is_remote_version(device.version); }

// Read in the sources of 5.0 to 7.2-RC1 (tests/pocl_remote_race.md); 4.0 has no devices on other machines.
std::string driver_notice(std::string_view platform_version, std::string_view device_version) {
  constexpr std::string_view product = "PoCL ";
  constexpr double last_with_race = 7.2;
  const auto at = platform_version.find(product);
  if (at == std::string_view::npos || !is_remote_version(device_version)) return {};
  const std::string_view rest = platform_version.substr(at + product.size());
  const std::string number(rest.substr(0, rest.find_first_not_of("0123456789.")));
  const auto version = parse_real(number);
  if (version && *version > last_with_race) return {};
  return "it is on another machine, and PoCL " + number +
         " has a data race there that can, rarely, crash or hang this program";
}

std::uint32_t units_of_part(std::uint32_t units, std::uint32_t part, std::uint32_t parts) {
  return units * (part + 1) / parts - units * part / parts;
}

std::string listing(std::span<const PlatformInfo> all) {
  std::string text;
  for (const PlatformInfo& platform : all)
    for (const DeviceInfo& device : platform.devices)
      text += (text.empty() ? "" : ", ") + text_of(device.id) + " " + device.name;
  return text;
}

std::string text_of(DeviceId id) { return std::to_string(id.platform) + ":" + std::to_string(id.device); }

std::vector<PlatformInfo> enumerate_devices() {
  std::vector<PlatformInfo> result;
  for (int i = 0; const cl::Platform& platform : platforms()) result.push_back(described(platform, i++));
  return result;
}

std::vector<DeviceInfo> ranked_devices(std::span<const PlatformInfo> all) {
  std::vector<DeviceInfo> usable;
  for (const PlatformInfo& platform : all)
    std::ranges::copy_if(platform.devices, std::back_inserter(usable), [](const auto& d) { return d.fault.empty(); });
  std::ranges::stable_sort(usable, std::greater<>(), speed_estimate);
  return usable;
}

DeviceInfo choose_device(std::span<const PlatformInfo> all, std::string_view spec) {
  const std::vector<DeviceInfo> usable = ranked_devices(all);
  if (usable.empty()) {
    const std::string faults = faults_of(all);
    if (!faults.empty()) throw failure("no OpenCL device can be used", faults);
    throw failure("no OpenCL device was found", "install a driver: " + std::string(installation_hints()));
  }
  if (spec.empty()) return usable.front();
  for (const DeviceInfo& device : usable)
    if (text_of(device.id) == spec) return device;
  for (const DeviceInfo& device : usable)
    if (lower_case(device.name).find(lower_case(spec)) != std::string::npos) return device;
  throw usage_error("--device", std::string(spec), "one of: " + listing(all));
}

std::string_view installation_hints() {
  return "NVIDIA: the package nvidia-opencl-icd (part of the driver)\n"
         "AMD: mesa-opencl-icd, or ROCm's rocm-opencl-runtime\n"
         "Intel: intel-opencl-icd\n"
         "any CPU: pocl-opencl-icd";
}

cl::Device handle_of(const DeviceInfo& info) {
  try {
    std::optional<cl::Device> device_listed = listed_devices().find(info.id);
    if (!device_listed) {
      std::vector<cl::Device> devices;
      platforms().at(static_cast<std::size_t>(info.id.platform)).getDevices(CL_DEVICE_TYPE_ALL, &devices);
      device_listed = devices.at(static_cast<std::size_t>(info.id.device));
    }
    const cl::Device& device = *device_listed;
    return info.parts > 1 ? divided(device, info).at(info.part) : device;
  } catch (const cl::Error& error) {
    throw opencl_error(error, "finding the device", info.name);
  } catch (const std::out_of_range&) {
    throw failure("the device " + text_of(info.id) + " " + info.name + " is no longer available");
  }
}

cl_context_properties platform_property(const cl::Device& device) {
  const cl::Platform platform(device.getInfo<CL_DEVICE_PLATFORM>());
  return reinterpret_cast<cl_context_properties>(platform());
}

Device::Device(const DeviceInfo& info, std::span<const cl_context_properties> sharing)
    : info_(info), device_(handle_of(info)) {
  const DriverCall watched(info_);
  try {
    std::vector<cl_context_properties> properties = {CL_CONTEXT_PLATFORM, platform_property(device_)};
    properties.insert(properties.end(), sharing.begin(), sharing.end());
    properties.push_back(0);
    context_ = cl::Context(device_, properties.data());
  } catch (const cl::Error& error) {
    throw opencl_error(error, "opening the device", info.name);
  }
}

cl::Buffer Device::buffer_of(const void* content, std::size_t bytes) const {
  const DriverCall watched(info_);
  try {
    return {context_, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, bytes, const_cast<void*>(content)};
  } catch (const cl::Error& error) {
    throw allocation_error(error, bytes, info_);
  }
}

cl::Buffer Device::buffer(std::size_t bytes, cl_mem_flags flags) const {
  if (bytes > info_.allocation_bytes)
    throw Error(Fault::failure, {"the device cannot hold a buffer of",
                                 bytes_text(static_cast<double>(bytes)),
                                 info_.name,
                                 code_name(CL_INVALID_BUFFER_SIZE),
                                 "the largest is " + bytes_text(static_cast<double>(info_.allocation_bytes)),
                                 {}});
  const DriverCall watched(info_);
  try {
    return {context_, flags, std::max<std::size_t>(bytes, 1)};
  } catch (const cl::Error& error) {
    throw allocation_error(error, bytes, info_);
  }
}

}  // namespace orrery
