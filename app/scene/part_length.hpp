/// How many steps of a long burst are computed at a time. Plain values.
#pragma once

#include <algorithm>
#include <cstdint>

namespace orrery {

/// The number of steps that take about half a second, found by doubling and halving.
class PartLength {
 public:
  std::int64_t steps() const { return steps_; }
  /// A part has taken so many seconds, of a burst of so many steps.
  void fit(double seconds, std::int64_t burst) {
    constexpr double brief = 0.3, lengthy = 0.7;  // seconds
    if (seconds < brief && steps_ < burst) steps_ *= 2;
    if (seconds > lengthy) steps_ = std::max<std::int64_t>(1, steps_ / 2);
  }

 private:
  std::int64_t steps_ = 1;
};

}  // namespace orrery
