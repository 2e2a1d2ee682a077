/// The OpenCL side of the window: the devices there are, the one in use, and the move from one to another.
///
/// Window thread. Enumeration runs on a worker thread; opening a device for sharing needs the GL context and stays
/// here.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/work/abandon.hpp"
#include "base/work/background.hpp"
#include "compute/device/device_list.hpp"
#include "compute/device/driver_check.hpp"
#include "interop/sharing.hpp"
#include "scene/scene.hpp"
#include "shell/options.hpp"
#include "shell/slice_pacer.hpp"

namespace orrery::shell {

/// Contexts, held until all else that is of them is gone; then a thread of its own lets them go. NVIDIA's
/// clReleaseContext waits for threads of the driver's: a tenth of a second on an H200, and for ever where a layer hears
/// of the end.
class LastReference {
 public:
  LastReference() = default;
  LastReference(const LastReference&) = delete;
  LastReference& operator=(const LastReference&) = delete;
  ~LastReference() { abandoned::destroy_elsewhere(std::move(contexts_)); }
  void add(const Device& device) { contexts_.push_back(device.context()); }

 private:
  std::vector<cl::Context> contexts_;
};

/// The opened devices and all that computes on them. The first one has the window's surfaces.
class OpenSession {
 public:
  OpenSession(std::vector<DeviceInfo> devices, const GlShareProperties& properties, bool interop);
  ComputeContext& context() { return context_; }
  Queue& queue() { return queue_; }
  const std::vector<DeviceInfo>& devices() const { return infos_; }
  const DeviceInfo& device() const { return infos_.front(); }
  const SharingReport& sharing() const { return opened_.sharing; }
  /// For how many seconds the window's queue has not answered; asks it now and then. Throws Error.
  double silence(double now);
  /// After it has been abandoned: all that was enqueued has ended after all. Never waits, nor throws.
  bool has_come_back();
  /// After each frame: how long it took, and how long the display gives it, in seconds.
  void presented(double frame, double refresh);

 private:
  std::vector<DeviceInfo> infos_;
  LastReference contexts_;  // before what uses them: it goes last
  OpenedDevice opened_;
  Queue queue_;
  ProgramLibrary programs_;
  std::vector<Device> others_;
  std::deque<ProgramLibrary> other_programs_;
  std::vector<ProgramLibrary*> members_;
  std::unique_ptr<SurfaceFactory> surfaces_;
  ComputeContext context_;
  SlicePacer pacer_;
  cl::Event sign_of_life_;
  double asked_ = 0;
  bool asked_last_ = false, lost_ = false;
};

class Devices {
 public:
  Devices() {
    search_.start([] { return enumerate_safely(); });
  }
  /// True once, when the search has ended.
  bool found();
  /// From now on the device cannot be used; unless there is no other, which is as good.
  void set_aside(const DeviceInfo& device, const std::string& reason);
  bool searching() const { return search_.busy(); }
  const std::vector<PlatformInfo>& platforms() const { return platforms_; }
  /// What the options name; else the devices of a state file, if they are there; else the window's default: the fastest
  /// device that can share, else the fastest.
  std::vector<DeviceInfo> choose(const WindowOptions& options, const GlShareProperties& properties) const;
  /// The usable devices of these ids. Throws when there are none.
  std::vector<DeviceInfo> at(const command::SelectDevices& selection) const;

 private:
  std::vector<DeviceInfo> remembered(const WindowOptions& options) const;

  Background<std::vector<PlatformInfo>> search_;
  std::vector<PlatformInfo> platforms_;
};

}  // namespace orrery::shell
