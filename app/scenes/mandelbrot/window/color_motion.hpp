/// The colours change by themselves: the palette cycles, and another histogram takes over smoothly. A plain value.
#pragma once

#include <algorithm>
#include <cmath>

#include "scenes/mandelbrot/output/coloring.hpp"
#include "scenes/mandelbrot/output/equalization.hpp"

namespace orrery {

class ColorMotion {
 public:
  /// A frame of that many seconds; `cycling` is in cycles a second.
  void advance(double cycling, const mandelbrot::Equalization& wanted, double frame) {
    constexpr double seconds = 0.3;  // of the change to another histogram
    cycled_ += cycling * frame;
    cycled_ -= std::floor(cycled_);
    if (shown_ == wanted || wanted.ranks.empty()) return;
    if (!(to_ == wanted)) {
      from_ = shown_;
      to_ = wanted;
      part_ = 0;
    }
    part_ = std::min(1.0, part_ + frame / seconds);
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
  double part_ = 0;  // of the way between
};

}  // namespace orrery
