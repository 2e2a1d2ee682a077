/// What a person can set of how the window shows the Mandelbrot set, besides its colours.
#pragma once

#include <cstdint>
#include <vector>

#include "base/parameter.hpp"

namespace orrery {

struct MandelbrotDisplay {
  std::int64_t samples = 64;  ///< a pixel, of a picture at rest
  double cycling = 0;         ///< of the palette, cycles a second
  double fly_speed = 6;       ///< octaves a second
  bool julia = false;         ///< a small picture of the Julia set of the point under the cursor
};

std::vector<Parameter> parameters(MandelbrotDisplay& display);

}  // namespace orrery
