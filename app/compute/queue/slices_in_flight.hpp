/// The enqueued slices of work not known to be complete, in the order of their queue. The device never waits for the
/// window while they last beyond the next frame. The queue's thread; never waits.
#pragma once

#include <deque>
#include <utility>

#include "compute/queue/queue.hpp"

namespace orrery {

class SlicesInFlight {
 public:
  /// Adds a slice of these expected seconds of device time, which ends with this event.
  void add(cl::Event end, double seconds) { slices_.push_back({std::move(end), seconds}); }
  /// The expected seconds of all slices, including the elapsed part of the first one.
  double seconds() const {
    collect();
    double sum = 0;
    for (const Slice& slice : slices_) sum += slice.seconds;
    return sum;
  }
  bool empty() const {
    collect();
    return slices_.empty();
  }
  /// Forgets all slices.
  void clear() { slices_.clear(); }

 private:
  struct Slice {
    cl::Event end;
    double seconds;
  };
  void collect() const {
    while (!slices_.empty() && is_complete(slices_.front().end)) slices_.pop_front();
  }
  mutable std::deque<Slice> slices_;  // complete slices are removed by queries
};

}  // namespace orrery
