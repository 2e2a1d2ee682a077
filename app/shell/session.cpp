#include "shell/session.hpp"

namespace orrery::shell {

OpenSession::OpenSession(const DeviceInfo& info, const GlShareProperties& properties, bool interop)
    : opened_(open_for_window(info, properties, interop)),
      queue_(opened_.device),
      programs_(opened_.device),
      surfaces_(make_surface_factory(opened_.device, opened_.sharing)),
      context_{opened_.device, queue_, programs_, *surfaces_} {}

bool Devices::found() {
  auto result = search_.poll();
  if (!result) return false;
  platforms_ = std::move(*result);
  return true;
}

DeviceInfo Devices::choose(const std::string& spec, const std::string& hint, const GlShareProperties& properties,
                           bool interop) const {
  if (!spec.empty()) return choose_device(platforms_, spec);
  const std::vector<DeviceInfo> ranked = ranked_devices(platforms_);
  for (const DeviceInfo& device : ranked)
    if (!hint.empty() && device.name == hint) return device;
  for (const DeviceInfo& device : ranked)
    if (interop && ask_sharing(device, properties).shared) return device;
  return choose_device(platforms_, {});
}

DeviceInfo Devices::at(DeviceId id) const { return choose_device(platforms_, text_of(id)); }

}  // namespace orrery::shell
