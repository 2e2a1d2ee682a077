/// The display of the Mandelbrot set in the window: settings besides the colours, animation of the colours, and the lag
/// of pictures. Plain values.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/parameter.hpp"
#include "scenes/mandelbrot/output/coloring.hpp"
#include "scenes/mandelbrot/output/equalization.hpp"
#include "scenes/mandelbrot/panels/snapshot.hpp"

namespace orrery {

struct MandelbrotDisplay {
  std::int64_t samples = 64;  ///< per pixel, for a picture at rest
  double cycling = 0;         ///< of the palette, cycles a second
  double fly_speed = 6;       ///< octaves a second
  bool julia = false;         ///< a small Julia set of the point under the cursor
};

std::vector<Parameter> parameters(MandelbrotDisplay& display);

/// Cycles the palette, and blends smoothly into another histogram.
class ColorMotion {
 public:
  /// One frame of `frame` seconds; `cycling` is in cycles a second. `at_once`: without smooth changes.
  void advance(double cycling, const mandelbrot::Equalization& wanted, double frame, bool at_once) {
    constexpr double seconds = 0.3;  // duration of the change to another histogram
    cycled_ += cycling * frame;
    cycled_ -= std::floor(cycled_);
    if (shown_ == wanted || wanted.ranks.empty()) return;
    if (!(to_ == wanted)) {
      from_ = shown_;
      to_ = wanted;
      part_ = 0;
    }
    part_ = at_once ? 1 : std::min(1.0, part_ + frame / seconds);
    shown_ = mandelbrot::mixed(from_, to_, part_);
  }
  mandelbrot::ColorSettings applied_to(mandelbrot::ColorSettings colors) const {
    colors.offset += cycled_;
    return colors;
  }
  const mandelbrot::Equalization& equalization() const { return shown_; }

 private:
  double cycled_ = 0;
  mandelbrot::Equalization shown_, from_, to_;
  double part_ = 0;  // progress between both
};

/// The lag of pictures shown while zooming in: the time since the view was so wide that the picture's pixels were as
/// fine as the window's. Summed over a session.
class MandelbrotDelay {
 public:
  /// One frame of `seconds` in which the view's width reached 2^log2_span, with a picture that is too coarse by that
  /// many factors of two; nothing without a picture. Only frames that zoom in count.
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
