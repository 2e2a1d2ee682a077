/// How far the pictures shown while zooming in are behind: the time since the view was so wide that the picture's
/// pixels were as fine as the window's.
///
/// A plain value; of a session.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "scenes/mandelbrot/panels/snapshot.hpp"

namespace orrery {

class MandelbrotDelay {
 public:
  /// A frame of `seconds` in which the view's width came to 2^log2_span, and that showed a picture which is so many
  /// factors of two too coarse; nothing where it showed none. Frames that do not zoom in do not count.
  void count(double log2_span, double seconds, std::optional<double> octaves_behind);
  MandelbrotSnapshot::Delay summary() const;

 private:
  double part_below(double part) const;

  static constexpr double bin_seconds = 0.01;
  std::array<std::uint32_t, 2000> bins_{};
  std::int64_t frames_ = 0;
  double longest_ = 0;
  std::optional<double> log2_span_;
};

}  // namespace orrery
