/// How much has been done a second lately. Plain values.
#pragma once

#include <algorithm>
#include <deque>

namespace orrery {

/// Rates of two quantities over the last seconds, from the times at which bursts ended.
class RateMeter {
 public:
  struct Rate {
    double steps = 0, work = 0;  ///< a second
  };

  static constexpr double longest = 5;  ///< seconds over which there can be a rate

  /// A burst has ended at `when`, in seconds.
  void add(double when, Rate amount) {
    bursts_.push_back({when, amount});
    while (bursts_.size() > 2 && when - bursts_.front().when > longest) bursts_.pop_front();
  }
  /// Over so many seconds before the last burst's end, or the last two bursts where these are longer; 0 until two
  /// bursts have ended. The interval begins with the end of the first, whose work is not counted.
  Rate rate(double seconds = 1) const {
    Rate sum;
    if (bursts_.size() < 2) return sum;
    const double end = bursts_.back().when;
    const auto lately = [&](const Ended& burst) { return end - burst.when <= seconds; };
    const auto first = std::min(std::ranges::find_if(bursts_, lately), bursts_.end() - 2);
    const double interval = end - first->when;
    for (auto burst = first + 1; burst != bursts_.end() && interval > 0; ++burst) {
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
