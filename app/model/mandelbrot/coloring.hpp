/// From smooth values to colours, on the host. shaders/mandelbrot.frag does the same for the window.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/parameter.hpp"

namespace orrery::mandelbrot {

/// What a person can set of the colours.
struct ColorSettings {
  std::string palette = "lagoon";
  std::string scale = "sqrt";
  double density = 1;
  double offset = 0;
  bool operator==(const ColorSettings&) const = default;
};
std::vector<Parameter> parameters(ColorSettings& settings);

using Rgb = std::array<std::uint8_t, 3>;

inline constexpr Rgb interior_color{5, 5, 9};
inline constexpr std::size_t ramp_colors = 1024;

/// One period of a palette as `ramp_colors` RGB triples. Gradients that are not cyclic run up and down again; the
/// corners between stops are rounded, since the eye sees them as lines. For `classic`, its course over 0 ≤ ν/N < 1.
std::vector<std::uint8_t> palette_ramp(const std::string& palette);

/// The palette `classic` of DESIGN section 8 for s = ν/N.
Rgb classic_color(double s);

/// Where ν = 0 lies in the palette, in cycles: the far outside is deep, the neighbourhood of the set glows.
inline constexpr double first_phase = 0.86;
/// Cycles of the palette for a unit of log2(1 + ν), √ν or ν, at density 1.
double cycles_per_unit(const std::string& scale);
/// Which cycle of the palette a ν falls into, and where in it.
double phase_of(const ColorSettings& settings, double nu);

class Colorist {
 public:
  Colorist(const ColorSettings& settings, double limit);
  Rgb color(double nu) const;
  Rgb interior() const;

 private:
  ColorSettings settings_;
  double limit_;
  std::vector<std::uint8_t> ramp_;
};

/// Sums colours in linear light, where light adds up: for several samples a pixel.
class LightSum {
 public:
  explicit LightSum(std::size_t pixels) : sums_(3 * pixels) {}
  void add(std::size_t pixel, Rgb color);
  Rgb mean(std::size_t pixel, double samples) const;

 private:
  std::vector<float> sums_;
};

}  // namespace orrery::mandelbrot
