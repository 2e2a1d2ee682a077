/// How much has been done a second lately. Plain values.
#pragma once

#include <deque>

namespace orrery {

/// Rates of two quantities over the last second, from the times at which bursts ended.
class RateMeter {
 public:
  struct Rate {
    double steps = 0, work = 0;  ///< a second
  };

  /// A burst has ended at `when`, in seconds.
  void add(double when, Rate amount) {
    constexpr double window = 1;
    bursts_.push_back({when, amount});
    while (bursts_.size() > 2 && when - bursts_.front().when > window) bursts_.pop_front();
  }
  /// 0 until two bursts have ended. The interval begins with the end of the first, whose work is not counted.
  Rate rate() const {
    Rate sum;
    if (bursts_.size() < 2) return sum;
    const double interval = bursts_.back().when - bursts_.front().when;
    for (auto burst = bursts_.begin() + 1; burst != bursts_.end() && interval > 0; ++burst) {
      sum.steps += burst->amount.steps / interval;
      sum.work += burst->amount.work / interval;
    }
    return sum;
  }

 private:
  struct Ended {
    double when;
    Rate amount;
  };
  std::deque<Ended> bursts_;
};

}  // namespace orrery
