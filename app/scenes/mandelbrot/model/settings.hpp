/// A person can set these of a Mandelbrot picture, besides its view and its colours.
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
  std::int64_t work_group = 0;   ///< 0: what suits the device
  std::string variant = "auto";  ///< of kernels, as the tuner names them (variant_text.hpp)
  bool operator==(const MandelbrotSettings&) const = default;
};

std::vector<Parameter> parameters(MandelbrotSettings& settings);
/// Throws a usage Error for a variant that no device has. Whether this one has it, its kernels tell.
void check_variant(const MandelbrotSettings& settings);

}  // namespace orrery
