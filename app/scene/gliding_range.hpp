/// The range of a palette, which follows a wanted one smoothly. Plain values.
#pragma once

#include <cmath>
#include <cstdint>
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
  /// The next wanted range takes effect at once.
  void reset() { now_.reset(); }
  /// While pictures are published, the range moves with each new picture only, so that each picture is drawn once. A
  /// moment: how many were published, and the time in seconds.
  struct Moment {
    std::int64_t published = 0;
    double seconds = 0;
  };
  void follow(const PaletteRange& wanted, const Moment& now, bool at_rest, double close) {
    if (now_ && !at_rest && moved_.published == now.published) return;
    const double passed = now.seconds - moved_.seconds;
    moved_ = now;
    follow(wanted, passed, close);
  }
  /// Approaches the wanted range during a frame of that many seconds. An end within `close` stays, so that a picture at
  /// rest is not redrawn. A very long frame reaches the range exactly.
  void follow(const PaletteRange& wanted, double frame, double close) {
    constexpr double time_constant = 0.7;  // seconds until 1/e of the distance remains
    if (!now_ || frame > 50 * time_constant) now_ = wanted;
    const double share = 1 - std::exp(-frame / time_constant);
    const auto approach = [&](double& value, double to) {
      value = std::abs(to - value) < close ? value : std::lerp(value, to, share);
    };
    approach(now_->low, wanted.low);
    approach(now_->high, wanted.high);
  }

 private:
  std::optional<PaletteRange> now_;
  Moment moved_;
};

}  // namespace orrery
