#include "shell/window/window_icon.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace orrery::shell {
namespace {

using Ink = std::array<double, 3>;

constexpr Ink sky{20, 23, 28}, orbit{107, 164, 248}, sun{233, 161, 91}, planet{232, 235, 240};

struct Pixel {
  Ink ink{};
  double alpha = 0;

  void cover(const Ink& with, double part) {
    const double both = part + alpha * (1 - part);
    for (std::size_t k = 0; k < ink.size() && both > 0; ++k)
      ink[k] = (with[k] * part + ink[k] * alpha * (1 - part)) / both;
    alpha = both;
  }
};

}  // namespace

std::vector<std::uint8_t> window_icon(int side) {
  std::vector<std::uint8_t> rgba;
  const double pixel = 2.0 / side;  // the picture reaches from −1 to 1
  // How much of a pixel lies inside, `distance` being to the edge, positive outside.
  const auto inside = [pixel](double distance) { return std::clamp(0.5 - distance / pixel, 0.0, 1.0); };
  for (int j = 0; j < side; ++j)
    for (int i = 0; i < side; ++i) {
      const double x = (i + 0.5) * pixel - 1, y = (j + 0.5) * pixel - 1, r = std::hypot(x, y);
      Pixel seen;
      seen.cover(sky, inside(r - 0.98));
      seen.cover(orbit, inside(std::abs(r - 0.68) - 0.07));
      seen.cover(sun, inside(r - 0.3));
      seen.cover(planet, inside(std::hypot(x - 0.48, y + 0.48) - 0.2));
      for (const double part : seen.ink) rgba.push_back(static_cast<std::uint8_t>(std::lround(part)));
      rgba.push_back(static_cast<std::uint8_t>(std::lround(255 * seen.alpha)));
    }
  return rgba;
}

}  // namespace orrery::shell
