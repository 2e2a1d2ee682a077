/// Named colour gradients as ramps of RGB triples, for pictures, panels and files alike. Plain values; any thread.
///
/// The gradients are the files assets/palettes/NAME.toml, read once; each names its source and its licence. Colours are
/// interpolated in Oklab (B. Ottosson, 2020), where equal steps look equally large.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace orrery {

struct GradientInfo {
  std::string_view name;
  bool cyclic;  ///< the last colour leads back to the first
};

/// All gradients by name, non-cyclic ones first. Throws an Error with file and line if a file is malformed.
std::vector<GradientInfo> gradients();
/// The non-cyclic gradients, for quantities from low to high.
std::vector<std::string_view> sequential_gradient_names();

/// `count` ≥ 2 colours as 3 · count sRGB bytes; the last colour of a cyclic gradient precedes its first.
/// Throws a usage Error that lists the names if `name` is unknown.
std::vector<std::uint8_t> gradient_ramp(std::string_view name, std::size_t count);

/// Conversion between sRGB values and linear light after IEC 61966-2-1; values 0 … 1.
inline double to_linear(double encoded) {
  return encoded <= 0.04045 ? encoded / 12.92 : std::pow((encoded + 0.055) / 1.055, 2.4);
}
inline double to_encoded(double linear) {
  return linear <= 0.0031308 ? 12.92 * linear : 1.055 * std::pow(linear, 1 / 2.4) - 0.055;
}

/// The content of a file of gradients.
struct Palette {
  std::string name;
  bool cyclic = false;
  std::vector<std::uint32_t> stops;  ///< 0xRRGGBB, evenly spaced, two or more
};

/// `file` stands for the text in messages. Throws a usage Error with file, line and column.
Palette parse_palette(const std::string& text, const std::string& file);

}  // namespace orrery
