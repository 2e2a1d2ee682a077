#include "compute/device/device_list.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "base/log.hpp"
#include "base/text.hpp"
#include "compute/device/call_watch.hpp"

namespace orrery {
namespace {

// Nothing if the driver refuses a common context for these devices.
std::optional<cl::Context> common_context(const std::vector<cl::Device>& devices) {
  try {
    const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM, platform_property(devices.front()), 0};
    return cl::Context(devices, properties);
  } catch (const cl::Error& error) {
    log(Level::info, "no common context: " + code_name(error.err()));
    return std::nullopt;
  }
}

}  // namespace

std::vector<DeviceInfo> split_device(const DeviceInfo& info, std::int64_t parts) {
  if (parts == 1) return {info};
  if (parts < 1 || parts > info.max_parts) {
    const std::string allowed =
        info.max_parts > 1
            ? "a whole number from 1 to " + std::to_string(info.max_parts) + " (the parts of this device)"
            : "1 (the driver cannot divide this device; several devices are named by --device P:D,P:D)";
    throw usage_error("--split", std::to_string(parts), allowed, info.name);
  }
  std::vector<DeviceInfo> result;
  const auto count = static_cast<std::uint32_t>(parts);
  for (std::uint32_t part = 0; part < count; ++part) {
    result.push_back(info);
    result.back().part = part;
    result.back().parts = count;
    result.back().max_parts = 1;
    result.back().compute_units = units_of_part(info.compute_units, part, count);
  }
  return result;
}

std::vector<DeviceInfo> choose_devices(std::span<const PlatformInfo> platforms, std::string_view spec,
                                       std::int64_t split) {
  std::vector<DeviceInfo> chosen;
  for (const std::string_view item : split_text(spec, ',')) {
    if (item.empty() && !spec.empty())
      throw usage_error("--device", std::string(spec), "one of: " + listing(platforms));
    DeviceInfo device = choose_device(platforms, item);
    if (std::ranges::any_of(chosen, [&](const DeviceInfo& other) { return is_same(device, other); }))
      throw usage_error("--device", std::string(spec),
                        text_of(device.id) + " only once; available: " + listing(platforms));
    chosen.push_back(std::move(device));
  }
  if (split == 1 || chosen.empty()) return chosen;
  if (chosen.size() > 1)
    throw usage_error("--split", std::to_string(split), "1, because --device names several devices");
  return split_device(chosen.front(), split);
}

std::vector<DeviceInfo> without(std::span<const DeviceInfo> devices, std::span<const DeviceInfo> others) {
  std::vector<DeviceInfo> rest;
  for (const DeviceInfo& device : devices)
    if (std::ranges::none_of(others, [&](const DeviceInfo& other) { return is_same(device, other); }))
      rest.push_back(device);
  return rest;
}

std::string names_of(std::span<const DeviceInfo> devices) {
  if (devices.empty()) return {};
  const DeviceInfo& first = devices.front();
  if (devices.size() == 1) return (first.parts > 1 ? "a part of " : "") + first.name;
  const std::string count = std::to_string(devices.size());
  if (first.parts > 1) return count + " parts of " + first.name;
  if (std::ranges::all_of(devices, [&](const DeviceInfo& other) { return other.name == first.name; }))
    return count + " of " + first.name;
  std::string names = first.name;
  for (std::size_t i = 1; i < devices.size(); ++i)
    names += (i + 1 == devices.size() ? " and " : ", ") + devices[i].name;
  return names;
}

std::string list_of(std::span<const DeviceInfo> devices) {
  return joined(devices, ",", [](const DeviceInfo& device) { return text_of(device.id); });
}

std::vector<Device> open_devices(std::span<const DeviceInfo> infos) {
  std::map<int, std::vector<cl::Device>> by_platform;
  std::vector<cl::Device> handles;
  for (const DeviceInfo& info : infos) {
    const DriverCall watched(info);
    handles.push_back(handle_of(info));
    by_platform[info.id.platform].push_back(handles.back());
  }
  std::map<int, std::optional<cl::Context>> contexts;
  for (const auto& [platform, devices] : by_platform)
    if (devices.size() > 1) {
      const DriverCall watched(infos.front());
      contexts[platform] = common_context(devices);
    }
  std::vector<Device> opened;
  for (std::size_t i = 0; i < infos.size(); ++i) {
    const std::optional<cl::Context>& context = contexts[infos[i].id.platform];
    opened.push_back(context ? Device(infos[i], handles[i], *context) : Device(infos[i]));
  }
  return opened;
}

}  // namespace orrery
