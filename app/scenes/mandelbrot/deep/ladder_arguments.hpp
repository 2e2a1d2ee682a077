/// The struct that kernels/mandelbrot/mandelbrot_ladder.cl takes by value; `Real` is the kernel's type of numbers.
#pragma once

#include <algorithm>

#include "scenes/mandelbrot/deep/kernel_arguments.hpp"
#include "scenes/mandelbrot/deep/ladder.hpp"

namespace orrery::mandelbrot {

/// The level at which a picture's orbits end, and the units of its cells' counts.
struct LadderCounting {
  int bottom = 0;    ///< orbits end there
  int exponent = 0;  ///< cells, and the limit, count in units of 2^exponent iterations

  /// Cells have 32 bits for a few times 2^top, or some thousand times that near c∞. A limit set by the user is no
  /// larger, and counts iterations. An orbit that leaves a passage may return to it.
  LadderCounting(const LadderPlace& place, bool automatic)
      : bottom(has_passage(place.point) ? 0 : std::max(0, place.top - ladder_depth)),
        exponent(automatic ? std::max(0, place.top - 16) : 0) {}

  /// The first automatic limit: the last of ten thousand pixels take some hundred times 2^top iterations.
  std::uint32_t first_limit(int top) const { return std::uint32_t{1} << std::min(31, std::max(0, top - exponent) + 9); }
  cl_uint cell_shift() const { return static_cast<cl_uint>(std::max(0, exponent - bottom)); }
  /// The largest n of an escape, N − 1, in units of 2^bottom, limited to the range. A bottom above the unit of cells is
  /// above all limits.
  cl_ulong last(std::uint32_t limit) const {
    constexpr cl_ulong most = cl_ulong{1} << 63;
    if (exponent < bottom) return 0;
    return (limit > most >> cell_shift() ? most : cl_ulong{limit} << cell_shift()) - 1;
  }
};

/// Step limit for automatic N: escapes take some hundred steps, or as many for each passage; the few pixels that take
/// many more, nearly all of them interior, would hold up the picture.
constexpr cl_uint most_automatic_steps(LadderPoint point) { return has_passage(point) ? 16384 : 2048; }

template <class Real>
struct LadderPlaneArgument {
  Real center_re, center_re_low, center_im, center_im_low;
  Real spacing;
  Real right_re, right_re_low, right_im, right_im_low;
  Real up_re, up_re_low, up_im, up_im_low;
  GridArgument<Real> grid;
  cl_int top, bottom;
  cl_uint cell_shift;
  cl_ulong last;
  cl_uint kept;
  cl_uint most_steps;

  LadderPlaneArgument(const LadderPlace& place, const Frame& frame, std::uint32_t kept_list)
      : center_re(high(place.center_re)),
        center_re_low(low(place.center_re)),
        center_im(high(place.center_im)),
        center_im_low(low(place.center_im)),
        spacing(high(place.spacing)),
        right_re(high(place.right_re)),
        right_re_low(low(place.right_re)),
        right_im(high(place.right_im)),
        right_im_low(low(place.right_im)),
        up_re(high(place.up_re)),
        up_re_low(low(place.up_re)),
        up_im(high(place.up_im)),
        up_im_low(low(place.up_im)),
        grid(frame),
        top(place.top),
        bottom(LadderCounting(place, frame.automatic).bottom),
        cell_shift(LadderCounting(place, frame.automatic).cell_shift()),
        last(LadderCounting(place, frame.automatic).last(frame.limit)),
        kept(kept_list),
        most_steps(frame.automatic ? most_automatic_steps(place.point) : ~cl_uint{0}) {}

 private:
  static Real high(const Pair& pair) { return static_cast<Real>(pair.high); }
  static Real low(const Pair& pair) {
    return static_cast<Real>(pair.high - static_cast<double>(high(pair)) + pair.low);
  }
};
static_assert(sizeof(LadderPlaneArgument<float>) == 160 && sizeof(LadderPlaneArgument<double>) == 280);

}  // namespace orrery::mandelbrot
