/// The slices of work that are enqueued and not known to be complete, in the order of their queue. The device never
/// waits for the window as long as they last beyond the next frame. The queue's thread; never waits.
#pragma once

#include <deque>
#include <utility>

#include "compute/queue/queue.hpp"

namespace orrery {

class SlicesInFlight {
 public:
  /// A slice that is expected to take so many seconds of the device's time, and ends with this event.
  void add(cl::Event end, double seconds) { slices_.push_back({std::move(end), seconds}); }
  /// The seconds that all of them are expected to take; the part of the first one that has passed counts as well.
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
  /// None of them is of use.
  void clear() { slices_.clear(); }

 private:
  struct Slice {
    cl::Event end;
    double seconds;
  };
  void collect() const {
    while (!slices_.empty() && is_complete(slices_.front().end)) slices_.pop_front();
  }
  mutable std::deque<Slice> slices_;  // a complete one is as good as none
};

}  // namespace orrery
