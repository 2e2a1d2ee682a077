/// The device session: which devices the window computes on, from the first choice to the last release.
///
/// The phases and their transitions are in device_phase.hpp, their effects here. Window thread.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/platform/threads.hpp"
#include "base/work/background.hpp"
#include "compute/device/device_list.hpp"
#include "compute/device/driver_check.hpp"
#include "interop/sharing.hpp"
#include "protocol/command.hpp"
#include "shell/devices/device_phase.hpp"
#include "shell/devices/open_devices.hpp"
#include "shell/window/notices.hpp"
#include "shell/window/options.hpp"

namespace orrery::shell {

/// The devices of this machine, and the choice of those that the window opens. They are listed on a worker thread.
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

/// How far the copy to the host is of what would be lost with the devices.
enum class HostCopy {
  under_way,
  complete,  ///< but the devices still compute, or their driver builds: their release would wait
  released   ///< and nothing that is in flight would hold up their release
};

/// Everything that computes on the open devices.
class DeviceUsers {
 public:
  virtual ~DeviceUsers() = default;
  /// `devices` stay open until release() or abandon().
  virtual void attach(OpenDevices& devices) = 0;
  /// Continues to copy to the host what would be lost with the devices. Never waits.
  virtual HostCopy copy_to_host() = 0;
  /// Kernels that the user has edited may be the reason for a failure.
  virtual void withdraw_edits(const std::string& reason) = 0;
  /// Releases every object of the devices.
  virtual void release() = 0;
  /// As release(), where an object whose release would wait for the devices is abandoned.
  virtual void abandon() = 0;
};

/// These devices, as they are chosen.
command::SelectDevices selection_of(std::span<const DeviceInfo> devices);

class DeviceSession {
 public:
  /// Begins to list the devices of this machine. What is passed must outlive the session.
  DeviceSession(const WindowOptions& options, DeviceUsers& users, Notices& notices)
      : options_(options), users_(users), notices_(notices) {}
  ~DeviceSession() = default;
  DeviceSession(const DeviceSession&) = delete;
  DeviceSession& operator=(const DeviceSession&) = delete;

  /// Each frame: takes the next step that is possible without a wait. Throws a usage Error where the command line names
  /// devices that do not exist.
  void follow(const GlShareProperties& window, double now);
  /// Throws Error for devices that do not exist.
  void choose(const command::SelectDevices& selection);
  /// Opens the usable device that follows the first open one in their ranking.
  void choose_next();
  /// An OpenCL call of the frame has failed.
  void fail(const Error& error);
  /// Waits until the host has a copy of everything, 10 s at most; the devices are closed where they do not answer. True
  /// where closing them would not wait.
  bool copy_to_host();
  void close() { apply(device_event::Ended{}); }

  /// The choice that is open, or is going to be; no ids where there is none.
  command::SelectDevices chosen() const;
  /// Null while no device is open.
  OpenDevices* devices() const { return devices_.get(); }
  /// A device is open, or may be in a moment: there is a scene to see, and no page that asks for a device.
  bool expected() const { return devices_ != nullptr || !activity().empty(); }
  const DeviceCatalog& catalog() const { return catalog_; }
  /// A worker thread lists or asks devices.
  bool busy() const { return catalog_.searching() || asking_.busy(); }
  bool is_silent() const { return std::holds_alternative<device_phase::Silent>(phase_); }
  /// What the panels show: the devices, or what happens while none is open; and the fault of the devices.
  void fill(WindowSnapshot& snapshot) const;

 private:
  std::string silence() const;
  std::string activity() const;
  void apply(DeviceEvent event);
  void end(DeviceEnding ending);
  void release();
  void release_after_error();
  void abandon();
  void take_list(const GlShareProperties& window, double now);
  void watch_silence(double now);
  void leave(double now);
  void recover(double now);
  void greet(const DeviceInfos& answering);
  void open(const GlShareProperties& window);

  const WindowOptions& options_;
  DeviceUsers& users_;
  Notices& notices_;
  DeviceCatalog catalog_;
  DevicePhase phase_;
  std::unique_ptr<OpenDevices> devices_;  // exactly while is_open(phase_)
  Background<DeviceInfos> asking_;        // which of the lost devices still answer, or of those to be opened
  DeviceLosses losses_;
};

}  // namespace orrery::shell
