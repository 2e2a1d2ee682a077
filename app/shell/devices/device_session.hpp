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

/// The devices of this machine, listed on a worker thread, and the choice for the window.
class DeviceCatalog {
 public:
  /// Begins to list the devices. A processor's driver starts its threads now, after the window's own drawing threads.
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
  /// The devices named by the options; else by the state file, if they exist; else the fastest device that can share
  /// with the window; else the fastest. Throws Error.
  std::vector<DeviceInfo> choose(const WindowOptions& options, const GlShareProperties& properties) const;
  /// The usable devices with these ids. Throws if there are none.
  std::vector<DeviceInfo> at(const command::SelectDevices& selection) const;

 private:
  std::vector<DeviceInfo> remembered(const WindowOptions& options) const;

  Background<std::vector<PlatformInfo>> search_;
  std::vector<PlatformInfo> platforms_;
};

/// The progress of copying the scenes' data from the devices to the host.
enum class HostCopy {
  under_way,
  complete,  ///< but devices or compilers are still busy: a release would wait
  released   ///< and nothing in flight would delay their release
};

/// The users of the open devices.
class DeviceUsers {
 public:
  virtual ~DeviceUsers() = default;
  /// `devices` stay open until release() or abandon().
  virtual void attach(OpenDevices& devices) = 0;
  /// Continues to copy data on the devices to the host. Never waits.
  virtual HostCopy copy_to_host() = 0;
  /// Withdraws the user's edited kernels, which may have caused a failure.
  virtual void withdraw_edits(const std::string& reason) = 0;
  /// Releases every object of the devices.
  virtual void release() = 0;
  /// Like release(), but abandons objects whose release would wait for the devices.
  virtual void abandon() = 0;
};

/// The selection that chooses these devices.
command::SelectDevices selection_of(std::span<const DeviceInfo> devices);

class DeviceSession {
 public:
  /// Begins to list the devices of this machine. The arguments must outlive the session.
  DeviceSession(const WindowOptions& options, DeviceUsers& users, Notices& notices)
      : options_(options), users_(users), notices_(notices) {}
  ~DeviceSession() = default;
  DeviceSession(const DeviceSession&) = delete;
  DeviceSession& operator=(const DeviceSession&) = delete;

  /// Called each frame: takes the next step that needs no waiting. Throws a usage Error where the command line names
  /// devices that do not exist.
  void follow(const GlShareProperties& window, double now);
  /// Throws Error for devices that do not exist.
  void choose(const command::SelectDevices& selection);
  /// Opens the usable device that follows the first open one in their ranking.
  void choose_next();
  /// Handles a failed OpenCL call of the frame.
  void fail(const Error& error);
  /// Waits until the host has a copy of everything, 10 s at most; closes devices that do not answer. True if closing
  /// them would not wait.
  bool copy_to_host();
  void close() { apply(device_event::Ended{}); }

  /// The open or coming choice; no ids if there is none.
  command::SelectDevices chosen() const;
  /// Null while no device is open.
  OpenDevices* devices() const { return devices_.get(); }
  /// True if a device is open or may soon be: the window shows a scene instead of the page about devices.
  bool expected() const { return devices_ != nullptr || !activity().empty(); }
  const DeviceCatalog& catalog() const { return catalog_; }
  /// True while a worker thread lists or asks devices.
  bool busy() const { return catalog_.searching() || asking_.busy(); }
  bool is_silent() const { return std::holds_alternative<device_phase::Silent>(phase_); }
  /// Fills in the devices, or the activity while none is open, and their fault.
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
  std::unique_ptr<OpenDevices> devices_;  // not null exactly while is_open(phase_)
  Background<DeviceInfos> asking_;        // asks lost devices, or devices to open, for an answer
  DeviceLosses losses_;
};

}  // namespace orrery::shell
