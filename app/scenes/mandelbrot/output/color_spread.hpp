/// How far apart the colours of a picture's values are. Plain values; any thread.
#pragma once

#include <span>

#include "scenes/mandelbrot/output/coloring.hpp"

namespace orrery::mandelbrot {

/// The range of the values that a picture has published.
struct ValueRange {
  float lowest = 0, highest = 0;  ///< of the points that escape
  bool all_escape = false;
};
ValueRange range_of(std::span<const float> values);

/// The largest difference between two colours of values in the range, in steps of a channel, 0 … 255. Colours that are
/// shaded, or spread by a histogram, show differences however small they are: 255, as where points do not escape.
int color_spread(const ValueRange& range, const Colorist& colorist, bool equalized, const Cascade& cascade);

}  // namespace orrery::mandelbrot
