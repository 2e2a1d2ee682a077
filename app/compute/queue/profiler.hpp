/// Keeps the events of enqueues, harvests the complete ones in order without waiting, and sums them up.
///
/// The ring is Tracy's idea (TracyOpenCL.hpp): collecting stops at the first incomplete event. An event with an error,
/// or with times of zero or out of order, counts as a launch without a time. Only some of many short launches have an
/// event, because an event costs the host as much as a launch.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.hpp"
#include "base/statistics.hpp"
#include "base/timeline.hpp"
#include "compute/device/device.hpp"
#include "compute/device/opencl.hpp"
#include "compute/queue/event_time.hpp"
#include "compute/queue/kernel_statistics.hpp"
#include "compute/queue/work.hpp"

namespace orrery {

/// The host's record of a command before it is enqueued.
struct Asked {
  std::int64_t began = 0;  ///< nanoseconds of the host's clock, before the call; 0: not recording
  std::array<std::uint32_t, 2> global{}, local{};
};

/// Puts the commands of one queue on a lane of the timeline, with times of the host's clock.
///
/// The device's clock is compared with the host's where the driver can do so (clGetDeviceAndHostTimer, OpenCL 2.1).
/// Otherwise the offset follows from the commands: each was queued during the host's call, and had ended when the host
/// saw it complete.
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
  /// Call right after the enqueue; nothing while not recording.
  std::optional<Enqueued> enqueued(std::string_view name, const Asked& asked) const;
  /// Records a complete command. Without times it is counted and has no span.
  void complete(const Enqueued& command, const std::optional<EventTimes>& times);

 private:
  void compare_clocks(const Enqueued& command, const EventTimes& times, std::int64_t now);

  Timeline* timeline_;
  std::uint16_t lane_;
  cl::Device device_;
  std::int64_t resolution_;    // resolution of the device's clock, nanoseconds
  bool driver_compares_;       // the driver can read both clocks at once
  std::int64_t compared_ = 0;  // time of the last comparison
  ClockOffset clock_;
  std::int64_t last_end_ = 0;         // end of the lane's last span, host's clock …
  std::int64_t last_end_device_ = 0;  // … and device's
};

/// One thread at a time (the queue's).
class Profiler {
 public:
  /// A profiler for another queue of the device, which sums up the launches of both. The timeline shows that queue's
  /// commands once trace_into() has given them a lane.
  Profiler beside() const { return Profiler(entries_); }
  Profiler() : Profiler(std::make_shared<Entries>()) {}

  /// True if the next launch of this name needs an event and a record; the launch is counted in either case.
  bool samples(std::string_view name);
  /// Records an enqueue. `name` groups launches; `work` is the amount of work in units of that name (interactions,
  /// pixels …), so that seconds_per_work can predict the next launch.
  void record(std::string_view name, const cl::Event& event, const Work& work = {}, const Asked& asked = {});
  /// A launch without an event, allowed by samples().
  void skip(std::string_view name, const Work& work);
  /// Marks that the next launches of this name are of another kernel: the first one's time includes a build or an
  /// upload, and times of the previous kernel are not mixed with theirs.
  void mark_first(std::string_view name);
  /// While the timeline records, every launch has an event, and a span when it is complete.
  void trace_into(QueueTrace trace) { trace_ = std::move(trace); }
  const std::optional<QueueTrace>& trace() const { return trace_; }
  bool tracing() const { return trace_ && trace_->on(); }
  /// Adds operations of this name that were counted later.
  void tell(std::string_view name, double operations);
  /// Collects complete events; never waits. Returns the code of a failed command, if there is one.
  std::optional<cl_int> harvest();

  /// A running estimate from collected launches; nothing before the first.
  std::optional<double> seconds_per_work(std::string_view name) const;
  std::vector<KernelStatistics> statistics() const;
  void clear();

 private:
  struct Pending {
    std::string name;
    cl::Event event;
    Work work;
    std::optional<QueueTrace::Enqueued> traced;
    double operations, bytes;  // work of all launches that it represents
    std::uint64_t launches;    // number of launches that it represents
    bool first;
  };
  /// A group of launches: the time of collection, and their work.
  struct Busy {
    double when, seconds, operations, bytes;
    bool rated;           // its work is known, or will be reported
    EventTimes ran = {};  // one of the launches
  };
  struct Entry {
    KernelStatistics sums;
    History recent{512};
    History delays{120};
    History each{120};    // seconds per unit, if units are alike …
    History levels{120};  // … and their medians, one per second
    History latest{3};    // if they are not
    double level_taken = 0;
    std::optional<double> seconds_per_work;
    bool next_is_first = true;
    bool alike = false;                                    // see Work
    std::uint64_t unsampled = 0;                           // launches since the last record, …
    double unsampled_operations = 0, unsampled_bytes = 0;  // … and their work
    std::deque<Busy> busy;
  };
  using Entries = std::map<std::string, Entry, std::less<>>;

  explicit Profiler(std::shared_ptr<Entries> entries) : entries_(std::move(entries)) {}
  void account(Entry& entry, const Pending& pending);
  static void follow_level(Entry& entry, double seconds_each, double now);
  static void take_rates(const Entry& entry, double now, KernelStatistics& statistics);

  std::optional<QueueTrace> trace_;
  std::deque<Pending> pending_;
  std::shared_ptr<Entries> entries_;
};

/// The switch for device timings; off: to measure their overhead. Applies to queues created later; call at the start of
/// the process.
void ask_for_times(bool ask);
bool asks_for_times();

}  // namespace orrery
