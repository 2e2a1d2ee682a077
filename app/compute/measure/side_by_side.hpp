/// Alternating rounds of the same work on two sides, with their times.
#pragma once

#include <functional>

#include "compute/measure/comparison.hpp"
#include "compute/queue/queue.hpp"

namespace orrery {

/// Called between slices with the finished fraction; an exception ends the comparison.
using BetweenSlices = std::function<void(double done)>;

/// Called between slices, so that other work can use the device; this time is not counted.
class Rest {
 public:
  explicit Rest(BetweenSlices between) : between_(std::move(between)) {}
  void operator()(double done);
  double seconds() const { return seconds_; }

 private:
  BetweenSlices between_;
  double seconds_ = 0;
};

/// One side: a round is `units` of work, enqueued and awaited.
struct ComparedSide {
  Queue& queue;
  std::function<void()> round;
};

/// Fills in `whole` and `kernels`. The queues must be idle and both sides warm. Any thread; waits.
void time_side_by_side(const std::array<ComparedSide, 2>& sides, int rounds, double units, const Rest& rest,
                       Comparison& comparison);

}  // namespace orrery
