/// Colours smooth values on the host. shaders/mandelbrot/mandelbrot_color.frag does the same for the window.
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

/// The settings of the colours.
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
/// corners between stops are rounded, as the eye sees them as lines. For `classic`, the ramp covers 0 ≤ ν/N < 1.
std::vector<std::uint8_t> palette_ramp(const std::string& palette);

/// The palette `classic` for s = ν/N.
Rgb classic_color(double s);

/// The place of ν = 0 in the palette, in cycles: the far outside is dark, the neighbourhood of the set bright.
inline constexpr double first_phase = 0.86;
/// Cycles of the palette per unit of log2(1 + ν), √ν, ν, or for the whole histogram, at density 1.
double cycles_per_unit(const std::string& scale);
/// Towards c∞, ν doubles with every factor of 4.669, so that near it colours follow log ν on all scales but the
/// histogram's: the weight is 0 far away and 1 where the picture repeats itself. It depends on the point and not on the
/// view, so that every point keeps its colour during a zoom.
struct Cascade {
  double x = 0, y = 0;         ///< offset of the picture's middle from c∞; y up
  double spacing = 0;          ///< of pixels …
  Matrix turn = {};            ///< … and the picture's turn
  double least = 0, most = 0;  ///< over all pixels
  /// The weight at that many pixels from the picture's middle.
  double at(double right, double down) const;
};
Cascade cascade_of(const View& view, Size size);
/// The weight by the distance from c∞.
double cascade_part(double distance);
/// The scale of log ν there: two repetitions of the picture are a cycle at density 1, and at ν = `cascade_pivot` it
/// equals √ν.
inline constexpr double cascade_pivot = 100;
/// Cycles added to those of log2(ν).
double cascade_phase(double density);

/// The cycle of the palette that contains a ν, and the place in it.
class Phases {
 public:
  explicit Phases(const ColorSettings& settings);
  double of(double nu, const Equalization& equalization = {}, double cascade = 0) const;
  bool equalized() const { return scale_ == Scale::histogram; }

 private:
  enum class Scale { iterations, root, log, histogram };

  Scale scale_;
  double offset_;
  double cycles_;                              // per unit of the scale
  double repeating_phase_, repeating_cycles_;  // for log ν, next to c∞
};

/// The light on the slopes of ν, and the darkness near the set.
struct Shading {
  static constexpr double steepest = 0.9;  ///< slope of the relief for an infinite slope of ν

  static constexpr double darkest = 0.2;  ///< remaining light next to the set: near c∞ this is the whole picture

  double slopes = 0;                     ///< strength of the light on slopes, 0 … 1 …
  double distances = 0;                  ///< … and of the darkness near the set
  double relief = 0;                     ///< slope of the relief for one unit of ν per pixel
  double ink = 0;                        ///< pixels from the set at which half of the darkness is left
  std::array<double, 3> light{0, 0, 1};  ///< direction towards it; z is up from the paper, y up on it

  bool none() const { return slopes == 0 && distances == 0; }
};
/// The shading for a picture of that width in pixels: a larger picture of the same view looks the same.
Shading shading_of(const ColorSettings& settings, double width);

/// The place of a period in the palette, in cycles, and the light that is left inside.
double phase_of_period(float period);
inline constexpr double interior_light_part = 0.35;

/// The rise of ν per pixel, to the right and upwards.
struct Slope {
  double x = 0;
  double y = 0;
};

class Colorist {
 public:
  Colorist(const ColorSettings& settings, double limit, Equalization equalization = {}, double width = 1000,
           int exponent = 0);
  /// ν and the limit are in units of 2^exponent; `cascade`: weight of log ν at the point.
  Rgb color(double nu, double cascade = 0) const;
  Rgb interior() const;
  /// The light of a point that a cycle of that period attracts; 0: not known.
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

/// Sums colours in linear light, where light is additive: for several samples a pixel.
class LightSum {
 public:
  explicit LightSum(std::size_t pixels) : sums_(pixels, Light{}) {}
  void add(std::size_t pixel, const Light& light);
  Rgb mean(std::size_t pixel, double samples) const;

 private:
  std::vector<Light> sums_;
};

/// The range of a picture's published values.
struct ValueRange {
  float lowest = 0, highest = 0;  ///< of the points that escape
  bool all_escape = false;
};
ValueRange range_of(std::span<const float> values);

/// The largest difference between two colours of values in the range, in steps of a channel, 0 … 255. Shaded colours,
/// and those from a histogram, show any difference: 255, as where points do not escape.
int color_spread(const ValueRange& range, const Colorist& colorist, bool equalized, const Cascade& cascade);

}  // namespace orrery::mandelbrot
