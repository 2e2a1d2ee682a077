/// The devices that are open in the window, with the queue, the programs and the surfaces made on them.
///
/// Window thread: opening a device for sharing needs the GL context.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "base/work/abandon.hpp"
#include "interop/sharing.hpp"
#include "scene/scene.hpp"
#include "shell/window/pacing.hpp"

namespace orrery::shell {

/// Holds contexts until everything made in them is gone, then releases them on a thread of its own: NVIDIA's
/// clReleaseContext waits for threads of the driver, a tenth of a second on an H200, and for ever if a layer intercepts
/// the release.
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

/// The first device has the window's surfaces.
class OpenDevices {
 public:
  OpenDevices(std::vector<DeviceInfo> devices, const GlShareProperties& properties, bool interop);
  ComputeContext& context() { return context_; }
  Queue& queue() { return queue_; }
  const ProgramLibrary& programs() const { return programs_; }
  const std::vector<DeviceInfo>& devices() const { return infos_; }
  const DeviceInfo& device() const { return infos_.front(); }
  /// The first device.
  const Device& device_object() const { return opened_.device; }
  const SharingReport& sharing() const { return opened_.sharing; }
  /// Asks the window's queue and the other queues periodically for an answer; returns the age of an unanswered question
  /// in seconds. Throws Error.
  double measure_silence(double now);
  /// Asks abandoned devices once more; true when all enqueued work has ended. Never waits, never throws.
  bool ask_after_all();
  /// Called after each frame: its duration and the display's interval, in seconds.
  void presented(double frame, double refresh);

 private:
  bool has_answered() const;

  /// State of the question of ask_after_all().
  enum class LastQuestion { none, asked, refused };

  std::vector<DeviceInfo> infos_;
  LastReference contexts_;  // declared before the users of the contexts: destroyed last
  OpenedDevice opened_;
  Queue queue_;
  ProgramLibrary programs_;
  std::vector<Device> others_;
  std::deque<ProgramLibrary> other_programs_;
  std::vector<ProgramLibrary*> members_;
  std::unique_ptr<SurfaceFactory> surfaces_;
  ComputeContext context_;
  WaitPacer slices_{WaitPacer::slices}, uneven_launches_{WaitPacer::uneven_launches};
  std::vector<cl::Event> answers_;  // answers to the newest question
  double asked_ = 0;                // time of the newest question
  LastQuestion last_question_ = LastQuestion::none;
};

}  // namespace orrery::shell
