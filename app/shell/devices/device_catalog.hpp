/// The devices of this machine, and the choice of those that the window opens.
///
/// Window thread; the devices are listed on a worker thread.
#pragma once

#include <string>
#include <vector>

#include "base/platform/threads.hpp"
#include "base/work/background.hpp"
#include "compute/device/device_list.hpp"
#include "compute/device/driver_check.hpp"
#include "interop/sharing.hpp"
#include "protocol/command.hpp"
#include "shell/window/options.hpp"

namespace orrery::shell {

class DeviceCatalog {
 public:
  /// Begins to list the devices. Where a processor is one, its driver starts its threads now: the window's own, which
  /// draw, come before them.
  DeviceCatalog() {
    search_.start([] {
      lower_priority();
      return enumerate_safely();
    });
  }
  /// Takes over the finished list: true once.
  bool take_list();
  bool searching() const { return search_.busy(); }
  const std::vector<PlatformInfo>& platforms() const { return platforms_; }
  bool has_usable_device() const { return !ranked_devices(platforms_).empty(); }
  /// Excludes the device from now on, unless it is the only one.
  void set_aside(const DeviceInfo& device, const std::string& reason);
  /// The devices that the options name; else those of the state file, where they exist; else the default: the fastest
  /// device that can share with the window, else the fastest. Throws Error.
  std::vector<DeviceInfo> choose(const WindowOptions& options, const GlShareProperties& properties) const;
  /// The usable devices of these ids. Throws when there are none.
  std::vector<DeviceInfo> at(const command::SelectDevices& selection) const;

 private:
  std::vector<DeviceInfo> remembered(const WindowOptions& options) const;

  Background<std::vector<PlatformInfo>> search_;
  std::vector<PlatformInfo> platforms_;
};

}  // namespace orrery::shell
