/// From smooth values to colours, on the host. shaders/mandelbrot/mandelbrot_color.frag does the same for the window.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/parameter.hpp"
#include "scenes/mandelbrot/numbers/view.hpp"
#include "scenes/mandelbrot/output/equalization.hpp"

namespace orrery::mandelbrot {

/// What a person can set of the colours.
struct ColorSettings {
  std::string palette = "lagoon";
  std::string scale = "sqrt";
  double density = 1;
  double offset = 0;
  std::string shading = "none";
  double light_angle = 135;
  double relief = 1;
  double darkness = 1;
  std::string interior = "black";
  bool operator==(const ColorSettings&) const = default;
};
std::vector<Parameter> parameters(ColorSettings& settings);
/// Pictures in these colours need a second plane (Variant::detail).
bool needs_details(const ColorSettings& settings);

using Rgb = std::array<std::uint8_t, 3>;
/// Linear light, 0 … 1 and more.
using Light = std::array<float, 3>;
Rgb encoded(const Light& light);

inline constexpr Rgb interior_color{5, 5, 9};
inline constexpr std::size_t ramp_colors = 1024;

/// One period of a palette as `ramp_colors` RGB triples. Gradients that are not cyclic run up and down again; the
/// corners between stops are rounded, since the eye sees them as lines. For `classic`, its course over 0 ≤ ν/N < 1.
std::vector<std::uint8_t> palette_ramp(const std::string& palette);

/// The palette `classic` for s = ν/N.
Rgb classic_color(double s);

/// Where ν = 0 lies in the palette, in cycles: the far outside is deep, the neighbourhood of the set glows.
inline constexpr double first_phase = 0.86;
/// Cycles of the palette for a unit of log2(1 + ν), √ν, ν, or for the whole histogram, at density 1.
double cycles_per_unit(const std::string& scale);
/// Towards c∞, ν doubles with every factor of 4.669, so that near it, whatever the scale but the histogram's, colours
/// follow log ν: how much, 0 far away and 1 where the picture repeats itself. It depends on the point and not on the
/// view, so that every point keeps its colour while one zooms.
struct Cascade {
  double x = 0, y = 0;         ///< of the picture's middle from c∞; y up
  double spacing = 0;          ///< of pixels …
  Matrix turn = {};            ///< … and how the picture is turned
  double least = 0, most = 0;  ///< of all pixels
  /// At so many pixels from the picture's middle.
  double at(double right, double down) const;
};
Cascade cascade_of(const View& view, Size size);
/// By the distance from c∞.
double cascade_part(double distance);
/// The scale of log ν there: two of the picture's repetitions are a cycle at density 1, and at ν = `cascade_pivot` it
/// agrees with √ν.
inline constexpr double cascade_pivot = 100;
/// Cycles to be added to those of log2(ν).
double cascade_phase(double density);

/// Which cycle of the palette a ν falls into, and where in it.
class Phases {
 public:
  explicit Phases(const ColorSettings& settings);
  double of(double nu, const Equalization& equalization = {}, double cascade = 0) const;
  bool equalized() const { return scale_ == Scale::histogram; }

 private:
  enum class Scale { iterations, root, log, histogram };

  Scale scale_;
  double offset_;
  double cycles_;                              // for a unit of the scale
  double repeating_phase_, repeating_cycles_;  // likewise of log ν, next to c∞
};

/// How light falls on the slopes of ν, and how dark it is near the set.
struct Shading {
  static constexpr double steepest = 0.9;  ///< slope of the paper where that of ν is endless

  static constexpr double darkest = 0.2;  ///< light that is left next to the set: near c∞ all of a picture is

  double slopes = 0;                     ///< how much of the light on slopes there is, 0 … 1 …
  double distances = 0;                  ///< … and of the darkness near the set
  double relief = 0;                     ///< how steep a slope of one unit of ν a pixel is
  double ink = 0;                        ///< pixels from the set at which half of the darkness is left
  std::array<double, 3> light{0, 0, 1};  ///< towards it; z is up from the paper, y up on it

  bool none() const { return slopes == 0 && distances == 0; }
};
/// For a picture that is `width` pixels wide: a larger picture of the same view looks the same.
Shading shading_of(const ColorSettings& settings, double width);

/// Where a period lies in the palette, in cycles, and how much of the light there is left inside.
double phase_of_period(float period);
inline constexpr double interior_light_part = 0.35;

/// How ν rises per pixel, to the right and upwards.
struct Slope {
  double x = 0;
  double y = 0;
};

class Colorist {
 public:
  Colorist(const ColorSettings& settings, double limit, Equalization equalization = {}, double width = 1000,
           int exponent = 0);
  /// ν here, and the limit, is in units of 2^exponent; `cascade`: how much colours follow log ν at the point.
  Rgb color(double nu, double cascade = 0) const;
  Rgb interior() const;
  /// Of a point that is attracted by a cycle of that period; 0: not known.
  Light interior_light(float period) const;
  /// The shaded colour; the same as color() where there is no shading. `distance` to the set in pixels; 0: not known.
  Light light(double nu, Slope slope, float distance = 0, double cascade = 0) const;
  bool shades() const { return !shading_.none(); }

 private:
  bool classic_, tells_periods_;
  double offset_, density_;
  Phases phases_;
  double limit_;
  Equalization equalization_;
  Shading shading_;
  int exponent_;
  std::vector<std::uint8_t> ramp_;
};

/// The light of a colour's bytes.
Light light_of(Rgb color);

/// Sums colours in linear light, where light adds up: for several samples a pixel.
class LightSum {
 public:
  explicit LightSum(std::size_t pixels) : sums_(pixels, Light{}) {}
  void add(std::size_t pixel, const Light& light);
  Rgb mean(std::size_t pixel, double samples) const;

 private:
  std::vector<Light> sums_;
};

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
