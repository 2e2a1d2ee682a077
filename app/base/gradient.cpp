#include "base/gradient.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "base/error.hpp"
#include "base/srgb.hpp"

namespace orrery {
namespace {

using Color = std::array<double, 3>;

struct Gradient {
  GradientInfo info;
  std::vector<std::uint32_t> stops;  // 0xRRGGBB, evenly spaced
};

const std::vector<Gradient>& all() {
  static const std::vector<Gradient> list{
      {{"nebula", false}, {0x2f55ff, 0x6f6cff, 0xd07ad8, 0xff9d74, 0xffcf8a, 0xfff4dc}},
      {{"starlight", false}, {0xff5a2a, 0xff9a4a, 0xffd7a0, 0xfff6ee, 0xc4d8ff, 0x86aaff}},
      {{"aurora", false}, {0x1f4fd8, 0x1597c9, 0x1fd1a2, 0x9be86f, 0xf4f7b0}},
      {{"ember", false}, {0x40107a, 0x9c1f7c, 0xe4414f, 0xfb8b32, 0xfdd35c, 0xfffbe0}},
      {{"inferno", false}, {0x000004, 0x320a5e, 0x781c6d, 0xbc3754, 0xed6925, 0xfbb41a, 0xfcffa4}},
      {{"viridis", false}, {0x440154, 0x414487, 0x2a788e, 0x22a884, 0x7ad151, 0xfde725}},
      {{"ice", false}, {0x03051a, 0x14305f, 0x1f6aa5, 0x4fb0d4, 0xb4e3ee, 0xf8ffff}},
      {{"gray", false}, {0x000000, 0xffffff}},
      {{"lagoon", true}, {0x000764, 0x206bcb, 0xedffff, 0xffaa00, 0x310230}},
      {{"twilight", true}, {0xe2d9e2, 0x7fa4c2, 0x5d5fb3, 0x3b1f5c, 0x2f1436, 0x6f2450, 0xb3565c, 0xd0a795}},
      {{"peacock", true}, {0x041c32, 0x04696e, 0x2fb58b, 0xf2e8a0, 0xe07a3f, 0x7a1f3d}},
  };
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
  std::string names;
  for (const Gradient& gradient : all()) names += (names.empty() ? "" : " | ") + std::string(gradient.info.name);
  return usage_error("--palette cannot be", std::string(name), "allowed: " + names);
}

}  // namespace

std::vector<GradientInfo> gradients() {
  std::vector<GradientInfo> infos;
  for (const Gradient& gradient : all()) infos.push_back(gradient.info);
  return infos;
}

std::vector<std::string_view> gradient_names() {
  std::vector<std::string_view> names;
  for (const Gradient& gradient : all()) names.push_back(gradient.info.name);
  return names;
}

std::vector<std::uint8_t> gradient_ramp(std::string_view name, std::size_t count) {
  const auto found = std::ranges::find(all(), name, [](const Gradient& gradient) { return gradient.info.name; });
  if (found == all().end()) throw unknown_gradient(name);
  const std::vector<std::uint32_t>& stops = found->stops;
  const std::size_t spans = found->info.cyclic ? stops.size() : stops.size() - 1;
  const auto steps = static_cast<double>(found->info.cyclic ? count : count - 1);
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
