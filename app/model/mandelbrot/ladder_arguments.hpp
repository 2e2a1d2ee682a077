/// The struct that kernels/mandelbrot_ladder.cl takes by value; `Real` is what it counts in.
#pragma once

#include <algorithm>

#include "model/mandelbrot/kernel_arguments.hpp"
#include "model/mandelbrot/ladder.hpp"

namespace orrery::mandelbrot {

/// The levels at which a picture of that top ends, and the unit that its cells count in.
struct LadderCounting {
  int bottom = 0;    ///< orbits end there
  int exponent = 0;  ///< cells count in units of 2^exponent iterations
  std::uint32_t shift() const { return static_cast<std::uint32_t>(exponent - bottom); }

  /// Cells have 32 bits for what is 2^top a few times, or some thousand times near c∞.
  explicit LadderCounting(int top) : bottom(std::max(0, top - ladder_depth)), exponent(std::max(0, top - 16)) {}
};

template <class Real>
struct LadderPlaneArgument {
  Real center_re, center_re_low, center_im, center_im_low;
  Real spacing, spacing_low;
  Real middle_x, middle_y;
  cl_uint first_row;
  cl_uint width, height;
  cl_int top, bottom;
  cl_uint cell_shift;
  cl_ulong limit;

  LadderPlaneArgument(const LadderPlace& place, const Frame& frame)
      : center_re(high(place.center_re)),
        center_re_low(low(place.center_re)),
        center_im(high(place.center_im)),
        center_im_low(low(place.center_im)),
        spacing(high(place.spacing)),
        spacing_low(low(place.spacing)),
        middle_x(static_cast<Real>(0.5 * frame.size.width - frame.shift_x)),
        middle_y(static_cast<Real>(0.5 * frame.size.height - frame.shift_y)),
        first_row(frame.first_row),
        width(frame.size.width),
        height(frame.rows),
        top(place.top),
        bottom(LadderCounting(place.top).bottom),
        cell_shift(LadderCounting(place.top).shift()),
        limit(frame.counted == 0 ? ~cl_ulong{0}
              : bottom > 0       ? 0
                                 : frame.counted) {}

 private:
  static Real high(const Pair& pair) { return static_cast<Real>(pair.high); }
  static Real low(const Pair& pair) {
    return static_cast<Real>(pair.high - static_cast<double>(high(pair)) + pair.low);
  }
};
static_assert(sizeof(LadderPlaneArgument<float>) == 64 && sizeof(LadderPlaneArgument<double>) == 96);

}  // namespace orrery::mandelbrot
