/// Rounds of the same work on two sides, in turn, and what each took.
#pragma once

#include <functional>
#include <span>

#include "compute/measure/comparison.hpp"
#include "compute/queue/queue.hpp"

namespace orrery {

/// Called between slices with the part that is done; what it throws ends the comparison.
using BetweenSlices = std::function<void(double done)>;

/// Between slices: whoever else needs the device has it for a moment, which no round is charged with.
class Rest {
 public:
  explicit Rest(BetweenSlices between) : between_(std::move(between)) {}
  void operator()(double done);
  double seconds() const { return seconds_; }

 private:
  BetweenSlices between_;
  double seconds_ = 0;
};

/// One side: a round is `units` of work, enqueued and waited for.
struct ComparedSide {
  Queue& queue;
  std::function<void()> round;
};

/// Fills in `whole` and `kernels`. Nothing of the queues is under way; both sides are warm. Any thread; waits.
void time_side_by_side(const std::array<ComparedSide, 2>& sides, int rounds, double units, const Rest& rest,
                       Comparison& comparison);

}  // namespace orrery
