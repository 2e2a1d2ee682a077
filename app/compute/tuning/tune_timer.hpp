/// Times what is enqueued on a queue, by the launches' stamps and by the host's clock; never waits.
#pragma once

#include <functional>

#include "compute/queue/queue.hpp"
#include "compute/tuning/tune_target.hpp"

namespace orrery {

/// Seconds between the start and the end of an event; nothing where the driver tells none, or stamps that are zero or
/// out of order.
std::optional<double> device_seconds(cl_ulong start, cl_ulong end);

/// Borrows the queue. One thread.
class TuneTimer {
 public:
  explicit TuneTimer(Queue& queue) : queue_(queue) {}
  ~TuneTimer() { queue_.collect_into(nullptr); }
  TuneTimer(const TuneTimer&) = delete;
  TuneTimer& operator=(const TuneTimer&) = delete;

  /// What `enqueue` enqueues is timed, and handed to the device.
  void time(const std::function<void()>& enqueue);
  /// Once all of it is complete. Throws Error when a launch ended in one.
  std::optional<TuneRun::Times> poll();

 private:
  Queue& queue_;
  std::vector<cl::Event> events_;
  double began_ = 0;
};

}  // namespace orrery
