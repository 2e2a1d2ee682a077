/// The settings of the bifurcation diagram. A plain value.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "base/parameter.hpp"

namespace orrery::mandelbrot {

struct DiagramSettings {
  bool shown = false;
  double height = 0.4;  ///< relative to the picture's height
  bool operator==(const DiagramSettings&) const = default;

  /// Rows of pixels at the bottom of a picture of that height; 0 where the diagram is not shown.
  std::uint32_t rows_of(std::uint32_t picture) const {
    return shown ? std::max(1U, static_cast<std::uint32_t>(std::lround(height * picture))) : 0;
  }
};

/// bifurcation and bifurcation-height.
inline std::vector<Parameter> parameters(DiagramSettings& settings) {
  return {{{.name = "bifurcation",
            .label = "Bifurcation",
            .help = "show the bifurcation diagram below the set: for the same real c, the values that orbits of "
                    "x -> x^2 + c approach"},
           &settings.shown},
          {{.name = "bifurcation-height",
            .label = "Its height",
            .help = "part of the picture that the bifurcation diagram takes",
            .minimum = 0.1,
            .maximum = 0.8},
           &settings.height}};
}

}  // namespace orrery::mandelbrot
