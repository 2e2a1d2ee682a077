/// Keeps the events of enqueues, harvests the complete ones in order without waiting, and sums them up.
///
/// The ring is Tracy's idea (TracyOpenCL.hpp): stop at the first event that is not complete. An event that ended in
/// an error, or whose stamps are zero or out of order, counts as a launch without a time. Of short launches that follow
/// each other only some have an event: it costs the host as much as the launch itself.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/statistics.hpp"
#include "compute/device/opencl.hpp"
#include "compute/queue/kernel_statistics.hpp"
#include "compute/queue/queue_trace.hpp"
#include "compute/queue/work.hpp"

namespace orrery {

/// One thread at a time (the queue's).
class Profiler {
 public:
  /// Whether the next launch of this name is to have an event, and to be recorded; it counts in either case.
  bool samples(std::string_view name);
  /// Takes note of an enqueue. `name` groups launches; `work` is what it worked on, in the units of its name
  /// (interactions, pixels …), so that seconds_per_work can predict the next launch.
  void record(std::string_view name, const cl::Event& event, const Work& work = {}, const Asked& asked = {});
  /// A launch without an event, which samples() allowed.
  void skip(std::string_view name, const Work& work);
  /// The next launch of this name is a first one: its build or upload is not the kernel's cost.
  void mark_first(std::string_view name);
  /// From now on, while the timeline records, every launch has an event and, when it is complete, a span.
  void trace_into(QueueTrace trace) { trace_ = std::move(trace); }
  const std::optional<QueueTrace>& trace() const { return trace_; }
  bool tracing() const { return trace_ && trace_->on(); }
  /// Operations that launches of this name are found to have done.
  void tell(std::string_view name, double operations);
  /// Collects what is complete; never waits. Returns the code of a command that ended in an error, if one did.
  std::optional<cl_int> harvest();

  /// A running estimate from harvested launches; nothing before the first.
  std::optional<double> seconds_per_work(std::string_view name) const;
  std::vector<KernelStatistics> statistics() const;
  void clear();

 private:
  struct Pending {
    std::string name;
    cl::Event event;
    Work work;
    std::optional<QueueTrace::Enqueued> traced;
    double operations, bytes;  // of all the launches that it stands for
    std::uint64_t launches;    // that it stands for
    bool first;
  };
  /// Of some launches: when they were harvested, and what they did.
  struct Busy {
    double when, seconds, operations, bytes;
    bool rated;  // what it did is known, or will be told
  };
  struct Entry {
    KernelStatistics sums;
    History recent{512};
    History delays{120};
    History each{120};    // seconds for a unit, where units are alike …
    History levels{120};  // … and their medians, one a second
    double level_taken = 0;
    std::optional<double> seconds_per_work;
    bool next_is_first = true;
    bool alike = false;                                    // see Work
    std::uint64_t unsampled = 0;                           // launches since the last that was recorded, …
    double unsampled_operations = 0, unsampled_bytes = 0;  // … and what they did
    std::deque<Busy> busy;
  };
  void account(Entry& entry, const Pending& pending);
  static void follow_level(Entry& entry, double seconds_each, double now);
  static void take_rates(const Entry& entry, double now, KernelStatistics& statistics);

  std::optional<QueueTrace> trace_;
  std::deque<Pending> pending_;
  std::map<std::string, Entry, std::less<>> entries_;
};

}  // namespace orrery
