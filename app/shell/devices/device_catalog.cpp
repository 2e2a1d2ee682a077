#include "shell/devices/device_catalog.hpp"

#include "base/log.hpp"

namespace orrery::shell {

bool DeviceCatalog::take_list() {
  auto result = search_.poll();
  if (!result) return false;
  platforms_ = std::move(*result);
  return true;
}

void DeviceCatalog::set_aside(const DeviceInfo& set, const std::string& reason) {
  if (ranked_devices(platforms_).size() < 2) return;
  for (PlatformInfo& platform : platforms_)
    for (DeviceInfo& device : platform.devices)
      if (device.id == set.id) device.fault = reason;
}

std::vector<DeviceInfo> DeviceCatalog::remembered(const WindowOptions& options) const {
  try {
    if (!options.devices_hint.empty()) return choose_devices(platforms_, options.devices_hint);
    for (const DeviceInfo& device : ranked_devices(platforms_))
      if (!options.device_hint.empty() && device.name == options.device_hint)
        return split_device(device, options.split > 0 ? options.split : options.split_hint);
  } catch (const Error& error) {  // the file comes from another machine
    if (options.split > 0) throw;
    log(Level::info, error.what());
  }
  return {};
}

std::vector<DeviceInfo> DeviceCatalog::choose(const WindowOptions& options, const GlShareProperties& properties) const {
  const std::int64_t split = std::max<std::int64_t>(1, options.split);
  if (!options.device.empty()) return choose_devices(platforms_, options.device, split);
  if (auto devices = remembered(options); !devices.empty()) return devices;
  for (const DeviceInfo& device : ranked_devices(platforms_))
    if (options.interop && ask_sharing(device, properties).shared) return split_device(device, split);
  return split_device(choose_device(platforms_, {}), split);
}

std::vector<DeviceInfo> DeviceCatalog::at(const command::SelectDevices& selection) const {
  std::vector<DeviceInfo> devices;
  for (const DeviceId id : selection.ids) devices.push_back(choose_device(platforms_, text_of(id)));
  if (devices.empty()) throw failure("no device was chosen");
  return devices.size() == 1 ? split_device(devices.front(), selection.split) : devices;
}

}  // namespace orrery::shell
