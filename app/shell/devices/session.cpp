#include "shell/devices/session.hpp"

#include <algorithm>

#include "base/log.hpp"

namespace orrery::shell {
namespace {

// Within one context they hand each other bodies without the host's help; the window's own is of OpenGL's making.
std::vector<Device> open_others(std::span<const DeviceInfo> devices) {
  return devices.size() < 2 ? std::vector<Device>() : open_devices(devices.subspan(1));
}

}  // namespace

OpenSession::OpenSession(std::vector<DeviceInfo> devices, const GlShareProperties& properties, bool interop)
    : infos_(std::move(devices)),
      opened_(open_for_window(infos_.front(), properties, interop)),
      queue_(opened_.device),
      programs_(opened_.device),
      others_(open_others(infos_)),
      surfaces_(make_surface_factory(opened_.device, opened_.sharing)),
      context_{opened_.device, queue_, programs_, *surfaces_, {}} {
  contexts_.add(opened_.device);
  for (const Device& device : others_) contexts_.add(device);
  members_.push_back(&programs_);
  for (const Device& device : others_) members_.push_back(&other_programs_.emplace_back(device));
  context_.members = members_;
}

void OpenSession::presented(double frame, double refresh) {
  if (!sharing().shared) return;
  pacer_.presented(frame, refresh);
  context_.slice_seconds = pacer_.slice();
}

double OpenSession::silence(double now) {
  constexpr double interval = 0.25;
  if (!is_complete(sign_of_life_)) return now - asked_;
  if (now - asked_ < interval) return 0;
  sign_of_life_ = queue_.marker();
  queue_.flush();
  asked_ = now;
  return 0;
}

bool OpenSession::has_come_back() {
  if (lost_ || !is_complete(sign_of_life_)) return false;
  if (asked_last_) return true;
  try {  // more may have been enqueued since
    sign_of_life_ = queue_.marker();
    queue_.flush();
    asked_last_ = true;
  } catch (const Error& error) {
    log(Level::info, error.what());
    lost_ = true;
  }
  return false;
}

bool Devices::found() {
  auto result = search_.poll();
  if (!result) return false;
  platforms_ = std::move(*result);
  return true;
}

void Devices::set_aside(const DeviceInfo& set, const std::string& reason) {
  if (ranked_devices(platforms_).size() < 2) return;
  for (PlatformInfo& platform : platforms_)
    for (DeviceInfo& device : platform.devices)
      if (device.id == set.id) device.fault = reason;
}

std::vector<DeviceInfo> Devices::remembered(const WindowOptions& options) const {
  try {
    if (!options.devices_hint.empty()) return choose_devices(platforms_, options.devices_hint);
    for (const DeviceInfo& device : ranked_devices(platforms_))
      if (!options.device_hint.empty() && device.name == options.device_hint)
        return split_device(device, options.split.value_or(options.split_hint));
  } catch (const Error& error) {  // another machine than the one that wrote the file
    if (options.split) throw;
    log(Level::info, error.what());
  }
  return {};
}

std::vector<DeviceInfo> Devices::choose(const WindowOptions& options, const GlShareProperties& properties) const {
  const std::int64_t split = options.split.value_or(1);
  if (!options.device.empty()) return choose_devices(platforms_, options.device, split);
  if (auto devices = remembered(options); !devices.empty()) return devices;
  for (const DeviceInfo& device : ranked_devices(platforms_))
    if (options.interop && ask_sharing(device, properties).shared) return split_device(device, split);
  return split_device(choose_device(platforms_, {}), split);
}

std::vector<DeviceInfo> Devices::at(const command::SelectDevices& selection) const {
  std::vector<DeviceInfo> devices;
  for (const DeviceId id : selection.ids) devices.push_back(choose_device(platforms_, text_of(id)));
  if (devices.empty()) throw failure("no device was chosen");
  return devices.size() == 1 ? split_device(devices.front(), selection.split) : devices;
}

}  // namespace orrery::shell
