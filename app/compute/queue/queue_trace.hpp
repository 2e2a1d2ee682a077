/// Puts the commands of one queue on a lane of the timeline, with times of the host's clock.
///
/// The device's clock is compared with the host's where the driver can do so (clGetDeviceAndHostTimer, OpenCL 2.1).
/// Otherwise the offset follows from the commands: each was queued during the host's call, and had ended when the host
/// saw it complete.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/clock.hpp"
#include "base/timeline.hpp"
#include "compute/device/device.hpp"
#include "compute/queue/event_time.hpp"

namespace orrery {

/// The host's record of a command before it is enqueued.
struct Asked {
  std::int64_t began = 0;  ///< nanoseconds of the host's clock, before the call; 0: not recording
  std::array<std::uint32_t, 2> global{}, local{};
};

/// Used by the queue's thread, which is the timeline's. The timeline must live longer.
class QueueTrace {
 public:
  /// `lane` is the name of its lane.
  QueueTrace(Timeline& timeline, std::string_view lane, const Device& device);

  bool on() const { return timeline_->recording(); }
  /// Continues the lane with another queue.
  QueueTrace beside(std::string_view lane, const Device& device) const { return {*timeline_, lane, device}; }

  /// A command in flight.
  struct Enqueued {
    std::int64_t began, returned;
    std::array<std::uint32_t, 2> global, local;
    std::uint32_t frame;
    std::uint16_t name;
  };
  /// To be called right after the enqueue; nothing while not recording.
  std::optional<Enqueued> enqueued(std::string_view name, const Asked& asked) const;
  /// Records a complete command. Without times it is counted and has no span.
  void complete(const Enqueued& command, const std::optional<EventTimes>& times);

 private:
  void compare_clocks(const Enqueued& command, const EventTimes& times, std::int64_t now);

  Timeline* timeline_;
  std::uint16_t lane_;
  cl::Device device_;
  std::int64_t resolution_;    // of the device's clock, nanoseconds
  bool driver_compares_;       // the driver can read both clocks at once
  std::int64_t compared_ = 0;  // time of the last comparison
  ClockOffset clock_;
  std::int64_t last_end_ = 0;         // of the lane, host's clock …
  std::int64_t last_end_device_ = 0;  // … and device's
};

}  // namespace orrery
