/// The settings of a Mandelbrot picture besides its view and its colours.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/parameter.hpp"

namespace orrery {

struct MandelbrotSettings {
  std::int64_t iterations = 0;  ///< N; 0 follows the view
  double escape_radius = 100;   ///< R
  std::string precision = "auto";
  std::int64_t work_group = 0;   ///< 0: default of the device
  std::string variant = "auto";  ///< of kernels, as the tuner names them (variant_text.hpp)
  bool operator==(const MandelbrotSettings&) const = default;
};

std::vector<Parameter> parameters(MandelbrotSettings& settings);
/// Throws a usage Error for a variant that no device has. Building the kernels tells whether this device has it.
void check_variant(const MandelbrotSettings& settings);

}  // namespace orrery
