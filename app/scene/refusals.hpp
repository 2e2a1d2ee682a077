/// When a device has refused commands although it works. Plain values.
#pragma once

#include <cstddef>
#include <vector>

namespace orrery {

/// Tells a device that refuses now and then from one that has failed.
class Refusals {
 public:
  /// The device has refused a command at `now`, in seconds. True when it has done so too often lately.
  bool add(double now) {
    constexpr std::size_t most = 3;
    constexpr double interval = 10;  // seconds
    std::erase_if(times_, [&](double when) { return now - when > interval; });
    times_.push_back(now);
    return times_.size() >= most;
  }

 private:
  std::vector<double> times_;
};

}  // namespace orrery
