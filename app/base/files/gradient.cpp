#include "base/files/gradient.hpp"

#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <utility>

#include "base/error.hpp"
#include "base/files/file.hpp"
#include "base/files/path.hpp"
#include "base/files/toml_text.hpp"
#include "base/text.hpp"

namespace orrery {
namespace {

using Color = std::array<double, 3>;

Error broken(const std::string& file, const toml::source_region& at, const std::string& what) {
  return usage_error(what, {}, "a palette has: name, cyclic = true | false, colors = [\"#rrggbb\", …]",
                     place_of(file, at));
}

std::uint32_t color_of(const std::string& file, const toml::node& node) {
  const std::string text = node.value_or(std::string());
  std::uint32_t rgb = 0;
  const char* end = text.data() + text.size();
  const bool hex = text.size() == 7 && text[0] == '#' && std::from_chars(text.data() + 1, end, rgb, 16).ptr == end;
  if (!hex)
    throw usage_error("a colour", text.empty() ? "(no text)" : text, "\"#rrggbb\"", place_of(file, node.source()));
  return rgb;
}

}  // namespace

Palette parse_palette(const std::string& text, const std::string& file) {
  const toml::table document = parse_toml(text, file);
  Palette gradient{
      .name = document["name"].value_or(std::string()), .cyclic = document["cyclic"].value_or(false), .stops = {}};
  const toml::array* colors = document["colors"].as_array();
  if (gradient.name.empty() || colors == nullptr || colors->size() < 2)
    throw broken(file, document.source(), "this palette needs a name and at least two colours");
  for (const toml::node& color : *colors) gradient.stops.push_back(color_of(file, color));
  return gradient;
}

namespace {

const std::vector<Palette>& all() {
  static const std::vector<Palette> list = [] {
    std::vector<Palette> found;
    for (const auto& entry : std::filesystem::directory_iterator(asset_folder() / "palettes"))
      if (entry.path().extension() == ".toml")
        found.push_back(parse_palette(read_file(entry.path(), {"a palette", 1 << 20}), entry.path().string()));
    std::ranges::sort(found, {}, [](const Palette& g) { return std::pair(g.cyclic, g.name); });
    return found;
  }();
  return list;
}

Color oklab_of(std::uint32_t rgb) {
  const auto channel = [&](int shift) { return to_linear(static_cast<double>((rgb >> shift) & 0xffU) / 255); };
  const double r = channel(16), g = channel(8), b = channel(0);
  const double l = std::cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const double m = std::cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const double s = std::cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return {0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
          1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
          0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
}

Color linear_of(const Color& lab) {
  const auto cube = [](double x) { return x * x * x; };
  const double l = cube(lab[0] + 0.3963377774 * lab[1] + 0.2158037573 * lab[2]);
  const double m = cube(lab[0] - 0.1055613458 * lab[1] - 0.0638541728 * lab[2]);
  const double s = cube(lab[0] - 0.0894841775 * lab[1] - 1.2914855480 * lab[2]);
  return {4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
          -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
          -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s};
}

void push_color(std::vector<std::uint8_t>& ramp, const Color& lab) {
  for (const double channel : linear_of(lab))
    ramp.push_back(static_cast<std::uint8_t>(std::lround(255 * to_encoded(std::clamp(channel, 0.0, 1.0)))));
}

Error unknown_gradient(std::string_view name) {
  return usage_error("--palette", std::string(name), joined(all(), " | ", &Palette::name));
}

}  // namespace

std::vector<GradientInfo> gradients() {
  std::vector<GradientInfo> infos;
  for (const Palette& gradient : all()) infos.push_back({gradient.name, gradient.cyclic});
  return infos;
}

std::vector<std::string_view> sequential_gradient_names() {
  std::vector<std::string_view> names;
  for (const Palette& gradient : all())
    if (!gradient.cyclic) names.push_back(gradient.name);
  return names;
}

std::vector<std::uint8_t> gradient_ramp(std::string_view name, std::size_t count) {
  const auto found = std::ranges::find(all(), name, &Palette::name);
  if (found == all().end()) throw unknown_gradient(name);
  const std::vector<std::uint32_t>& stops = found->stops;
  const std::size_t spans = found->cyclic ? stops.size() : stops.size() - 1;
  const auto steps = static_cast<double>(found->cyclic ? count : count - 1);
  std::vector<std::uint8_t> ramp;
  for (std::size_t i = 0; i < count; ++i) {
    const double at = static_cast<double>(i) / steps * static_cast<double>(spans);
    const std::size_t span = std::min(static_cast<std::size_t>(at), spans - 1);
    const Color from = oklab_of(stops[span]), to = oklab_of(stops[(span + 1) % stops.size()]);
    Color lab{};
    for (std::size_t k = 0; k < 3; ++k) lab[k] = std::lerp(from[k], to[k], at - static_cast<double>(span));
    push_color(ramp, lab);
  }
  return ramp;
}

}  // namespace orrery
