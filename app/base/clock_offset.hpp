/// How far another clock (a device's, OpenGL's) is behind the host's, known from moments that one clock saw before the
/// other.
///
/// Each observation says that host − other lay in an interval when the host's clock read `when`. Clocks drift apart by
/// `drift` at the most, so an interval of the past is as much wider now; all of them together bound the offset. The
/// middle of what is left is taken, and kept as long as it is possible, so that times do not jitter.
#pragma once

#include <cstdint>

namespace orrery {

/// Nanoseconds throughout. A value.
class ClockOffset {
 public:
  /// Crystals are off by some 50 ppm: two of them by twice that.
  static constexpr double usual_drift = 1e-4;
  explicit ClockOffset(double drift = usual_drift) : drift_(drift) {}

  /// What contradicts all that is known (a clock was set) begins anew.
  void observe(std::int64_t when, std::int64_t lower, std::int64_t upper);
  bool known() const { return known_; }
  /// To add to the other clock's time.
  std::int64_t offset() const { return offset_; }
  /// The true offset is no further from offset() than this, as of the last observation; 0 when nothing is known.
  std::int64_t error() const;

 private:
  double drift_;
  bool known_ = false;
  std::int64_t when_ = 0, lower_ = 0, upper_ = 0, offset_ = 0;
};

}  // namespace orrery
