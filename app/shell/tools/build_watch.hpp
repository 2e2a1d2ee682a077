/// Watches how long kernels are being built. A plain value; seconds of one clock.
#pragma once

#include <optional>

#include "base/clock.hpp"

namespace orrery::shell {

/// For how long a condition has held without a break.
class Spell {
 public:
  explicit Spell(double limit) : limit_(limit) {}
  /// True where the condition has held longer than the limit for the first time.
  bool follow(bool holds, double now) {
    const bool was_long = is_long();
    if (!holds) began_.reset();
    if (holds && !began_) began_ = now;
    length_ = began_ ? now - *began_ : 0;
    return is_long() && !was_long;
  }
  bool is_long() const { return length_ > limit_; }

 private:
  double limit_, length_ = 0;
  std::optional<double> began_;
};

class BuildWatch {
 public:
  /// Each frame. True where the user should learn once that builds take long.
  bool follow(bool building, bool cancellable, double now) {
    cancellable_.follow(cancellable, now);
    return building_.follow(building, now);
  }
  double limit() const { return patience(5); }
  /// A build that can be cancelled takes long.
  bool offers_cancel() const { return cancellable_.is_long(); }

 private:
  Spell building_{limit()}, cancellable_{2};
};

}  // namespace orrery::shell
