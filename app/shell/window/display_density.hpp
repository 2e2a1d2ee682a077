/// Detects small text on a display by its physical size. A plain function; any thread.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/glm.hpp>
#include <optional>

namespace orrery::shell {

/// The size that a display reports; unreported values are 0.
struct DisplaySize {
  glm::ivec2 pixels{0, 0}, millimetres{0, 0};
};

/// Pixels per inch; nothing for an implausible size: many displays, adapters and virtual machines report none, or a
/// ratio such as 160 × 90 mm.
inline std::optional<double> pixels_per_inch(const DisplaySize& display) {
  constexpr double least_across = 180, most_across = 3000, least = 50, most = 400, squareness = 0.1;
  constexpr std::array ratios{glm::ivec2(16, 9), glm::ivec2(16, 10), glm::ivec2(4, 3), glm::ivec2(21, 9)};
  const glm::ivec2 size = display.millimetres;
  if (std::min({size.x, size.y, display.pixels.x, display.pixels.y}) <= 0) return std::nullopt;
  const int longer = std::max(size.x, size.y), shorter = std::min(size.x, size.y);
  for (const glm::ivec2 ratio : ratios)
    for (const int times : {1, 10, 100})
      if (longer == times * ratio.x && shorter == times * ratio.y) return std::nullopt;
  const glm::dvec2 density = 25.4 * glm::dvec2(display.pixels) / glm::dvec2(size);
  const bool square = std::abs(density.x / density.y - 1) <= squareness;
  const bool plausible = longer >= least_across && longer <= most_across && density.x >= least && density.x <= most;
  return square && plausible ? std::optional(std::sqrt(density.x * density.y)) : std::nullopt;
}

/// The scale, in quarters, that makes text about as large as at 96 pixels per inch, if it is smaller than two thirds of
/// that. `desktop` is the desktop's factor for `chosen`.
inline std::optional<float> larger_scale(const DisplaySize& display, float desktop, float chosen, float most) {
  constexpr double usual = 96, small_by = 1.5;
  const auto density = pixels_per_inch(display);
  if (!density || *density / usual < small_by * static_cast<double>(desktop * chosen)) return std::nullopt;
  const auto wanted = static_cast<float>(std::floor(4 * *density / usual / static_cast<double>(desktop)) / 4);
  return std::min(wanted, most);
}

}  // namespace orrery::shell
