/// Puts the commands of one queue on a lane of the timeline, their times on the host's clock.
///
/// The device's clock is asked for beside the host's where the driver can (clGetDeviceAndHostTimer, OpenCL 2.1).
/// Otherwise the commands themselves tell: each was queued after the host began to ask for it and before it had asked,
/// and had ended when the host saw it complete.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/clock_offset.hpp"
#include "base/timeline.hpp"
#include "compute/device/device.hpp"
#include "compute/queue/event_time.hpp"

namespace orrery {

/// What the host knows of a command that it is about to enqueue.
struct Asked {
  std::int64_t began = 0;  ///< nanoseconds of the host's clock, before the call; 0: nobody wants to know
  std::array<std::uint32_t, 2> global{}, local{};
};

/// The queue's thread, which is the timeline's. The timeline lives longer.
class QueueTrace {
 public:
  /// `lane` is the name of its lane.
  QueueTrace(Timeline& timeline, std::string_view lane, const Device& device);

  bool on() const { return timeline_->recording(); }
  /// The same timeline, another queue.
  QueueTrace beside(std::string_view lane, const Device& device) const { return {*timeline_, lane, device}; }

  /// A command on its way.
  struct Enqueued {
    std::int64_t began, returned;
    std::array<std::uint32_t, 2> global, local;
    std::uint32_t frame;
    std::uint16_t name;
  };
  /// Right after the call; nothing when nobody wants to know.
  std::optional<Enqueued> enqueued(std::string_view name, const Asked& asked) const;
  /// The command is complete. Without times it is counted and has no span.
  void complete(const Enqueued& command, const std::optional<EventTimes>& times);

 private:
  void compare_clocks(const Enqueued& command, const EventTimes& times, std::int64_t now);

  Timeline* timeline_;
  std::uint16_t lane_;
  cl::Device device_;
  std::int64_t resolution_;    // of the device's clock, nanoseconds
  bool driver_compares_;       // the driver can read both clocks at once
  std::int64_t compared_ = 0;  // when it was last asked to
  ClockOffset clock_;
  std::int64_t last_end_ = 0;         // of the lane, host's clock …
  std::int64_t last_end_device_ = 0;  // … and device's
};

}  // namespace orrery
