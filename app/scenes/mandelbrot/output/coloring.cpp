#include "scenes/mandelbrot/output/coloring.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "base/files/gradient.hpp"
#include "scenes/mandelbrot/deep/kernel_arguments.hpp"

namespace orrery::mandelbrot {
namespace {

constexpr double cycles_per_octave = 0.5;
constexpr double cycles_per_root = 0.13;
constexpr double cycles_per_iteration = 1.0 / 64;
constexpr double cycles_per_histogram = 1;
constexpr double shaded_width = 1000;  // width of the picture, in pixels, for which relief and ink are defined
constexpr double relief_of_one = 3;
constexpr double ink_pixels = 0.35;
constexpr double feigenbaum_point = -1.4011551890920506;
// Levels, log(radius / distance) / log δ, between which colours pass over to log ν.
constexpr double cascade_radius = 0.7, log2_delta = 2.2231759, cascade_begins = 2, cascade_rules = 4.5;
constexpr double least_distance = 1e-14;  // distance from c∞ that colours distinguish
constexpr int largest_exponent = 900;     // within the range of doubles; deeper pictures are coloured as there
constexpr double light_height = 0.75;     // z of the light's unit direction

bool is_cyclic(const std::string& name) {
  return std::ranges::any_of(gradients(), [&](const GradientInfo& info) { return info.name == name && info.cyclic; });
}

std::vector<Choice> palette_names() {
  std::vector<Choice> names{"classic"};
  for (const GradientInfo& info : gradients())
    if (info.cyclic) names.push_back(info.name);
  for (const GradientInfo& info : gradients())
    if (!info.cyclic) names.push_back(info.name);
  return names;
}

// Averages the neighbours on the circle, twice: corners become parabolas.
std::vector<std::uint8_t> rounded(const std::vector<std::uint8_t>& ramp) {
  constexpr std::ptrdiff_t reach = ramp_colors / 48;
  std::vector<double> colors(ramp.begin(), ramp.end());
  for (int pass = 0; pass < 2; ++pass) {
    const std::vector<double> before = colors;
    for (std::size_t i = 0; i < before.size(); ++i) {
      double sum = 0;
      for (std::ptrdiff_t k = -reach; k <= reach; ++k)
        sum += before[(i + before.size() + static_cast<std::size_t>(3 * (k + reach)) - 3 * reach) % before.size()];
      colors[i] = sum / (2 * reach + 1);
    }
  }
  std::vector<std::uint8_t> result;
  for (const double color : colors) result.push_back(static_cast<std::uint8_t>(std::lround(color)));
  return result;
}

}  // namespace

std::vector<Parameter> parameters(ColorSettings& settings) {
  return {
      {{.name = "palette", .label = "Palette", .help = "colours of the smooth values", .choices = palette_names()},
       &settings.palette},
      {{.name = "color-scale",
        .label = "Scale",
        .help = "one palette cycle covers equal steps of log ν, √ν or ν, or equal areas (not for classic)",
        .choices = {{"log", "log ν"}, {"sqrt", "√ν"}, {"linear", "ν"}, {"histogram", "Equal areas"}}},
       &settings.scale},
      {{.name = "density",
        .label = "Density",
        .help = "palette cycles, relative to the default",
        .minimum = 0.01,
        .maximum = 100,
        .logarithmic = true},
       &settings.density},
      {{.name = "offset",
        .label = "Offset",
        .unit = "cycles",
        .help = "start of the palette",
        .minimum = 0,
        .maximum = 1},
       &settings.offset},
      {{.name = "shading",
        .label = "Shading",
        .help = "light on the slopes of ν, a dark rim around the set, or both",
        .choices = {"none", "slope", {"distance", "Dark rim"}, {"both", "Slope and dark rim"}}},
       &settings.shading},
      {{.name = "light-angle",
        .label = "Light from",
        .unit = "degrees",
        .help = "direction of the light, counterclockwise from the right",
        .minimum = 0,
        .maximum = 360},
       &settings.light_angle},
      {{.name = "relief",
        .label = "Relief",
        .help = "steepness of the slopes, relative to the default",
        .minimum = 0.01,
        .maximum = 100,
        .logarithmic = true},
       &settings.relief},
      {{.name = "darkness",
        .label = "Dark rim",
        .help = "width of the dark rim, relative to the default",
        .minimum = 0.01,
        .maximum = 100,
        .logarithmic = true},
       &settings.darkness},
      {{.name = "interior",
        .label = "Inside",
        .help = "colour of the interior: black, or a colour for each period of the attracting cycle",
        .choices = {"black", "period"}},
       &settings.interior},
  };
}

std::vector<std::uint8_t> palette_ramp(const std::string& palette) {
  if (palette == "classic") {
    std::vector<std::uint8_t> ramp;
    for (std::size_t i = 0; i < ramp_colors; ++i)
      for (const std::uint8_t channel : classic_color((static_cast<double>(i) + 0.5) / ramp_colors))
        ramp.push_back(channel);
    return ramp;
  }
  if (is_cyclic(palette)) return rounded(gradient_ramp(palette, ramp_colors));
  std::vector<std::uint8_t> ramp = gradient_ramp(palette, ramp_colors / 2);
  for (std::size_t i = ramp_colors / 2; i-- > 0;)
    for (std::size_t channel = 0; channel < 3; ++channel) ramp.push_back(ramp[3 * i + channel]);
  return rounded(ramp);
}

Rgb classic_color(double s) {
  const auto channel = [s](double peak) {
    const double value = 1.5 * 256 - std::abs(s - peak) * 4 * 256;
    return static_cast<std::uint8_t>(std::clamp(value, 0.0, 255.0));
  };
  return {channel(0.75), channel(0.5), channel(0.25)};
}

double cycles_per_unit(const std::string& scale) {
  if (scale == "log") return cycles_per_octave;
  if (scale == "histogram") return cycles_per_histogram;
  return scale == "sqrt" ? cycles_per_root : cycles_per_iteration;
}

double cascade_part(double distance) {
  const double level = std::log2(cascade_radius / std::max(distance, least_distance)) / log2_delta;
  const double part = std::clamp((level - cascade_begins) / (cascade_rules - cascade_begins), 0.0, 1.0);
  return part * part * (3 - 2 * part);
}

double Cascade::at(double right, double down) const {
  if (least == most) return most;
  const Offset at = turn * Offset{right, -down};
  return cascade_part(std::hypot(x + spacing * at.x, y + spacing * at.y));
}

Cascade cascade_of(const View& view, Size size) {
  const double span = view.span.value();
  constexpr double nowhere = 1e6;
  Cascade cascade{.x = view.formula.quadratic() ? view.re.value() - feigenbaum_point : nowhere,
                  .y = view.im.value(),
                  .spacing = span / size.width,
                  .turn = matrix_of(view.turn)};
  const Matrix& turn = cascade.turn;
  // The box around the picture.
  const double side = 0.5 * span, other_side = side * size.height / size.width;
  const double half = side * std::abs(turn.xx) + other_side * std::abs(turn.xy),
               half_height = side * std::abs(turn.yx) + other_side * std::abs(turn.yy);
  const double x = std::abs(cascade.x), y = std::abs(cascade.y);
  cascade.least = cascade_part(std::hypot(x + half, y + half_height));
  cascade.most = cascade_part(std::hypot(std::max(x - half, 0.0), std::max(y - half_height, 0.0)));
  return cascade;
}

double cascade_phase(double density) {
  return first_phase +
         density * (cycles_per_root * std::sqrt(cascade_pivot) - cycles_per_octave * std::log2(1 + cascade_pivot));
}

Phases::Phases(const ColorSettings& settings)
    : scale_(settings.scale == "log"         ? Scale::log
             : settings.scale == "sqrt"      ? Scale::root
             : settings.scale == "histogram" ? Scale::histogram
                                             : Scale::iterations),
      offset_(settings.offset),
      cycles_(settings.density * cycles_per_unit(settings.scale)),
      repeating_phase_(cascade_phase(settings.density)),
      repeating_cycles_(settings.density * cycles_per_octave) {}

double Phases::of(double nu, const Equalization& equalization, double cascade) const {
  const double v = std::max(nu, 0.0);
  const double scaled = scale_ == Scale::log         ? std::log2(1 + v)
                        : scale_ == Scale::root      ? std::sqrt(v)
                        : scale_ == Scale::histogram ? equalization.rank(nu)
                                                     : v;
  const double phase = first_phase + cycles_ * scaled;
  if (cascade == 0 || equalized()) return offset_ + phase;
  return offset_ + std::lerp(phase, repeating_phase_ + repeating_cycles_ * std::log2(1 + v), cascade);
}

bool needs_details(const ColorSettings& settings) {
  return settings.interior == "period" || settings.shading == "distance" || settings.shading == "both";
}

// Adjacent periods lie far apart in the palette. Large ones are folded, as floats do not hold their digits.
double phase_of_period(float period) {
  constexpr double golden = 0.61803399, folded = 77;
  const double beyond = std::max(std::floor(std::log2(static_cast<double>(period))) - 10, 0.0);
  const double phase = golden * (std::floor(static_cast<double>(period) * std::exp2(-beyond)) + folded * beyond);
  return phase - std::floor(phase);
}

Shading shading_of(const ColorSettings& settings, double width) {
  const double scale = width / shaded_width, angle = settings.light_angle * std::numbers::pi / 180;
  const double across = std::sqrt(1 - light_height * light_height);
  Shading shading{.relief = relief_of_one * settings.relief * scale, .ink = ink_pixels * settings.darkness * scale};
  shading.slopes = settings.shading == "slope" || settings.shading == "both" ? 1 : 0;
  shading.distances = settings.shading == "distance" || settings.shading == "both" ? 1 : 0;
  shading.light = {across * std::cos(angle), across * std::sin(angle), light_height};
  return shading;
}

// ---- colours

Light light_of(Rgb color) {
  static const auto linear = [] {
    std::array<float, 256> table{};
    for (std::size_t i = 0; i < table.size(); ++i)
      table[i] = static_cast<float>(to_linear(static_cast<double>(i) / 255));
    return table;
  }();
  return {linear[color[0]], linear[color[1]], linear[color[2]]};
}

Rgb encoded(const Light& light) {
  Rgb rgb{};
  for (std::size_t channel = 0; channel < 3; ++channel)
    rgb[channel] = static_cast<std::uint8_t>(
        std::lround(255 * to_encoded(std::clamp(static_cast<double>(light[channel]), 0.0, 1.0))));
  return rgb;
}

Colorist::Colorist(const ColorSettings& settings, double limit, Equalization equalization, double width, int exponent)
    : classic_(settings.palette == "classic"),
      tells_periods_(settings.interior == "period"),
      offset_(settings.offset),
      density_(settings.density),
      phases_(settings),
      limit_(limit),
      equalization_(std::move(equalization)),
      shading_(shading_of(settings, width)),
      exponent_(std::min(exponent, largest_exponent)),
      ramp_(palette_ramp(settings.palette)) {}

Rgb Colorist::interior() const { return classic_ ? Rgb{0, 0, 0} : interior_color; }

Rgb Colorist::color(double nu, double cascade) const {
  if (classic_) return classic_color(offset_ + density_ * nu / limit_);
  const double phase = phases_.of(phases_.equalized() ? nu : std::ldexp(nu, exponent_), equalization_, cascade);
  const double at = (phase - std::floor(phase)) * ramp_colors - 0.5;
  const double below = std::floor(at);
  const auto texel = [&](double index, std::size_t channel) {
    const auto i = static_cast<std::size_t>(index + ramp_colors) % ramp_colors;
    return static_cast<double>(ramp_[3 * i + channel]);
  };
  Rgb rgb{};
  for (std::size_t channel = 0; channel < 3; ++channel)
    rgb[channel] =
        static_cast<std::uint8_t>(0.5 + std::lerp(texel(below, channel), texel(below + 1, channel), at - below));
  return rgb;
}

Light Colorist::interior_light(float period) const {
  if (!tells_periods_ || period < 1) return light_of(interior());
  const double phase = phase_of_period(period) + offset_;
  const auto i = static_cast<std::size_t>((phase - std::floor(phase)) * ramp_colors) % ramp_colors;
  Light light = light_of({ramp_[3 * i], ramp_[3 * i + 1], ramp_[3 * i + 2]});
  for (float& channel : light) channel *= static_cast<float>(interior_light_part);
  return light;
}

// Equals shaded() of the shader.
Light Colorist::light(double nu, Slope slope, float distance, double cascade) const {
  Light light = light_of(color(nu, cascade));
  if (shading_.none()) return light;
  const double unit = std::ldexp(1.0, exponent_);
  const double of_log = unit * std::lerp(1.0, cascade_pivot / (1 + unit * std::max(nu, 0.0)), cascade);
  slope = {of_log * slope.x, of_log * slope.y};
  const double rise = std::max(std::hypot(slope.x, slope.y), 1e-6), steep = shading_.relief * rise;
  const double tilt = Shading::steepest * steep / (1 + steep) / rise;  // of the normal, for a slope of one
  const auto& to_light = shading_.light;
  const double facing = to_light[2] - tilt * (slope.x * to_light[0] + slope.y * to_light[1]);
  const double lit = std::max(facing, 0.0) / std::hypot(tilt * rise, 1) / to_light[2];
  const double away = distance > 0 ? 0.5 * static_cast<double>(distance) : 0.5 / std::numbers::ln2 / rise;
  const double dark = std::lerp(Shading::darkest, 1.0, away / (away + shading_.ink));
  const double factor = std::lerp(1.0, lit, shading_.slopes) * std::lerp(1.0, dark, shading_.distances);
  for (float& channel : light) channel = static_cast<float>(factor * static_cast<double>(channel));
  return light;
}

void LightSum::add(std::size_t pixel, const Light& light) {
  for (std::size_t channel = 0; channel < 3; ++channel) sums_[pixel][channel] += std::min(light[channel], 1.0F);
}

Rgb LightSum::mean(std::size_t pixel, double samples) const {
  Light light = sums_[pixel];
  for (float& channel : light) channel /= static_cast<float>(samples);
  return encoded(light);
}

ValueRange range_of(std::span<const float> values) {
  if (values.empty()) return {};
  const auto [lowest, highest] = std::ranges::minmax(values);
  const bool finite = std::isfinite(lowest) && std::isfinite(highest);
  return {lowest, highest, finite && !is_interior(lowest) && !is_unknown(lowest)};
}

int color_spread(const ValueRange& range, const Colorist& colorist, bool equalized, const Cascade& cascade) {
  constexpr int most = 255, samples = 17;
  if (!range.all_escape || equalized || colorist.shades()) return most;
  Rgb low{255, 255, 255}, high{0, 0, 0};
  for (int i = 0; i < samples; ++i) {
    const double nu = std::lerp(static_cast<double>(range.lowest), static_cast<double>(range.highest),
                                static_cast<double>(i) / (samples - 1));
    for (const double part : {cascade.least, cascade.most}) {
      const Rgb color = colorist.color(nu, part);
      for (std::size_t k = 0; k < 3; ++k) {
        low[k] = std::min(low[k], color[k]);
        high[k] = std::max(high[k], color[k]);
      }
    }
  }
  int spread = 0;
  for (std::size_t k = 0; k < 3; ++k) spread = std::max(spread, high[k] - low[k]);
  return spread;
}

}  // namespace orrery::mandelbrot
