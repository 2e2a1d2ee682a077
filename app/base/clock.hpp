/// Monotonic time, its offset from other clocks, and timeouts.
#pragma once

#include <chrono>
#include <cstdint>

namespace orrery {

/// Seconds since an arbitrary moment; never goes back.
inline double now_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// The same clock in nanoseconds.
inline std::int64_t now_nanoseconds() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

/// The offset of another clock (a device's, OpenGL's) from the host's clock, derived from events that both clocks saw
/// in a known order.
///
/// Each observation says that host − other lay in an interval when the host's clock read `when`. Clocks drift apart by
/// at most `drift`, so the interval widens with time; all intervals together bound the offset. The estimate is the
/// centre of the remaining interval, and stays unchanged while possible, so that times do not jitter.
///
/// Nanoseconds throughout. A value.
class ClockOffset {
 public:
  /// Crystals are off by about 50 ppm, two of them by twice that.
  static constexpr double usual_drift = 1e-4;
  explicit ClockOffset(double drift = usual_drift) : drift_(drift) {}

  /// An observation that contradicts the others (a clock was set) restarts the estimate.
  void observe(std::int64_t when, std::int64_t lower, std::int64_t upper);
  bool known() const { return known_; }
  /// The value to add to the other clock's time.
  std::int64_t offset() const { return offset_; }
  /// Bound of the error of offset() at the last observation; 0 when nothing is known.
  std::int64_t error() const;

 private:
  double drift_;
  bool known_ = false;
  std::int64_t when_ = 0, lower_ = 0, upper_ = 0, offset_ = 0;
};

/// The time-out after which an operation counts as unresponsive: `seconds`, multiplied by ORRERY_PATIENCE, for machines
/// under heavy load where a slow device is not a lost one.
double patience(double seconds);

}  // namespace orrery
