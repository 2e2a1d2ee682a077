/// The OpenCL side of the window: the devices there are, the one in use, and the move from one to another.
///
/// Window thread. Enumeration runs on a worker thread; opening a device for sharing needs the GL context and stays here.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/background.hpp"
#include "interop/sharing.hpp"
#include "scene/scene.hpp"

namespace orrery::shell {

/// One opened device and all that computes on it.
class OpenSession {
 public:
  OpenSession(const DeviceInfo& info, const GlShareProperties& properties, bool interop);
  ComputeContext& context() { return context_; }
  Queue& queue() { return queue_; }
  const DeviceInfo& device() const { return opened_.device.info(); }
  const SharingReport& sharing() const { return opened_.sharing; }

 private:
  OpenedDevice opened_;
  Queue queue_;
  ProgramLibrary programs_;
  std::unique_ptr<SurfaceFactory> surfaces_;
  ComputeContext context_;
};

class Devices {
 public:
  Devices() {
    search_.start([] { return enumerate_devices(); });
  }
  /// True once, when the search has ended.
  bool found();
  bool searching() const { return search_.busy(); }
  const std::vector<PlatformInfo>& platforms() const { return platforms_; }
  /// What `spec` names; else the device of the name `hint`, if it is there; else the window's default: the fastest device
  /// that can share, else the fastest.
  DeviceInfo choose(const std::string& spec, const std::string& hint, const GlShareProperties& properties, bool interop) const;
  /// The usable device of that id. Throws when there is none.
  DeviceInfo at(DeviceId id) const;

 private:
  Background<std::vector<PlatformInfo>> search_;
  std::vector<PlatformInfo> platforms_;
};

}  // namespace orrery::shell
