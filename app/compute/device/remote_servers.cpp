#include "compute/device/remote_servers.hpp"

#include <algorithm>
#include <sstream>

#include "base/platform/process.hpp"
#include "compute/device/device.hpp"
#include "compute/device/device_list.hpp"

namespace orrery {
namespace {

constexpr const char* drivers_variable = "POCL_DEVICES";
constexpr std::string_view remote_driver = "remote";

std::string parameters_variable(std::size_t index) { return "POCL_REMOTE" + std::to_string(index) + "_PARAMETERS"; }

/// A remote device as PoCL's variables name it: the n-th one that is listed is the n-th word "remote".
struct RemoteDevice {
  DeviceId id;
  std::string parameters;
  std::string server() const { return parameters.substr(0, parameters.find('/')); }
};

std::vector<RemoteDevice> remote_devices(std::span<const PlatformInfo> listed) {
  std::vector<RemoteDevice> found;
  for (const PlatformInfo& platform : listed)
    for (const DeviceInfo& device : platform.devices)
      if (is_remote(device)) found.push_back({device.id, platform::variable(parameters_variable(found.size()))});
  return found;
}

// Without the words of the devices that are left out, which is told for each word "remote".
std::string drivers_without(const std::vector<bool>& left_out) {
  std::istringstream words(platform::variable(drivers_variable));
  std::string result;
  std::size_t index = 0;
  for (std::string word; words >> word;) {
    const bool skipped = word == remote_driver && index < left_out.size() && left_out[index];
    if (word == remote_driver) ++index;
    if (!skipped) result += (result.empty() ? "" : " ") + word;
  }
  return result;
}

}  // namespace

DevicesLeft devices_without(std::span<const DeviceInfo> silent, std::span<const DeviceInfo> devices,
                            std::span<const PlatformInfo> listed) {
  const std::vector<RemoteDevice> remote = remote_devices(listed);
  const auto is_silent = [&](const RemoteDevice& device) {
    return std::ranges::any_of(remote, [&](const RemoteDevice& other) {
      return other.server() == device.server() && std::ranges::find(silent, other.id, &DeviceInfo::id) != silent.end();
    });
  };
  std::vector<bool> left_out;
  for (const RemoteDevice& device : remote) left_out.push_back(is_silent(device));
  const auto is_left_out = [&](DeviceId id) {
    const auto at = std::ranges::find(remote, id, &RemoteDevice::id);
    return at != remote.end() && left_out[static_cast<std::size_t>(at - remote.begin())];
  };
  DevicesLeft left;
  for (const DeviceInfo& device : without(devices, silent)) {
    if (is_left_out(device.id)) continue;
    left.devices.push_back(device);
    for (const RemoteDevice& other : remote)
      if (is_left_out(other.id) && other.id.platform == device.id.platform && other.id.device < device.id.device)
        --left.devices.back().id.device;
  }
  if (std::ranges::find(left_out, true) == left_out.end()) return left;
  left.variables.emplace_back(drivers_variable, drivers_without(left_out));
  std::size_t index = 0;
  for (std::size_t k = 0; k < remote.size(); ++k)
    if (!left_out[k]) left.variables.emplace_back(parameters_variable(index++), remote[k].parameters);
  return left;
}

}  // namespace orrery
