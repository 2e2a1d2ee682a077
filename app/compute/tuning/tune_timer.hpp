/// Times enqueued work by the launches' events and by the host's clock; never waits.
#pragma once

#include <functional>

#include "compute/queue/queue.hpp"
#include "compute/tuning/tune_target.hpp"

namespace orrery {

/// Seconds between the start and the end of an event; nothing if the driver reports none, or if the times are zero or
/// out of order.
std::optional<double> device_seconds(cl_ulong start, cl_ulong end);

/// Refers to the queue. One thread.
class TuneTimer {
 public:
  explicit TuneTimer(Queue& queue) : queue_(queue) {}
  ~TuneTimer() { queue_.collect_into(nullptr); }
  TuneTimer(const TuneTimer&) = delete;
  TuneTimer& operator=(const TuneTimer&) = delete;

  /// Times the commands that `enqueue` enqueues, and flushes the queue.
  void time(const std::function<void()>& enqueue);
  /// The times once all commands are complete. Throws an Error if a launch failed.
  std::optional<TuneRun::Times> poll();

 private:
  Queue& queue_;
  std::vector<cl::Event> events_;
  double began_ = 0;
};

}  // namespace orrery
