/// The range of a palette, which follows a wanted one smoothly. Plain values.
#pragma once

#include <cmath>
#include <optional>

namespace orrery {

/// The ends of a palette's range.
struct PaletteRange {
  double low = 0, high = 1;
  bool operator==(const PaletteRange&) const = default;
};

class GlidingRange {
 public:
  const std::optional<PaletteRange>& now() const { return now_; }
  /// Begins anew with the next wanted range.
  void reset() { now_.reset(); }
  /// Comes nearer to the wanted range, for a frame of that many seconds; an end that is within `close`
  /// stays where it is, so that a picture at rest is not drawn anew.
  void follow(const PaletteRange& wanted, double frame, double close) {
    constexpr double time_constant = 0.7;  // seconds in which the way left shrinks to 1/e
    if (!now_) now_ = wanted;
    const double share = 1 - std::exp(-frame / time_constant);
    const auto approach = [&](double& value, double to) {
      value = std::abs(to - value) < close ? value : std::lerp(value, to, share);
    };
    approach(now_->low, wanted.low);
    approach(now_->high, wanted.high);
  }

 private:
  std::optional<PaletteRange> now_;
};

}  // namespace orrery
