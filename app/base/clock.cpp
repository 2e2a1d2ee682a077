#include "base/clock.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "base/text.hpp"

namespace orrery {

void ClockOffset::observe(std::int64_t when, std::int64_t lower, std::int64_t upper) {
  if (lower > upper) return;
  const auto drifted =
      static_cast<std::int64_t>(std::ceil(drift_ * static_cast<double>(std::max<std::int64_t>(when - when_, 0))));
  const std::int64_t low = std::max(lower_ - drifted, lower), high = std::min(upper_ + drifted, upper);
  const bool agrees = known_ && low <= high;
  lower_ = agrees ? low : lower;
  upper_ = agrees ? high : upper;
  when_ = known_ ? std::max(when_, when) : when;
  const bool possible = agrees && offset_ >= lower_ && offset_ <= upper_;
  if (!possible) offset_ = lower_ + (upper_ - lower_) / 2;
  known_ = true;
}

std::int64_t ClockOffset::error() const { return std::max(upper_ - offset_, offset_ - lower_); }

double patience(double seconds) {
  const char* text = std::getenv("ORRERY_PATIENCE");
  const auto factor = parse_real(text != nullptr ? text : "");
  return factor && *factor > 0 ? *factor * seconds : seconds;
}

}  // namespace orrery
