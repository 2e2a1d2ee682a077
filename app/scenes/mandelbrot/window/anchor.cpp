#include "scenes/mandelbrot/window/anchor.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "scenes/mandelbrot/numbers/location.hpp"

namespace orrery {
namespace {

using namespace mandelbrot;

constexpr double reach = 12;  // pixels

// 0 is exact.
bool has_digits(const Decimal& number, double log10_pixel) {
  const std::string& text = number.text();
  const std::size_t point = text.find('.');
  if (number.is_zero() || text.find_first_of("eE") != std::string::npos) return number.is_zero();
  const double decimals = point == std::string::npos ? 0 : static_cast<double>(text.size() - point - 1);
  return -decimals < log10_pixel;
}

}  // namespace

std::vector<Anchor> named_anchors() {
  std::vector<Anchor> anchors;
  for (const Location& location : locations()) anchors.push_back({location.title, location.view.re, location.view.im});
  return anchors;
}

AnchorInPicture placed_in(const Anchor& anchor, const View& view, Size size) {
  const Placement away = placement(view, {anchor.re, anchor.im, view.span});
  const Offset at = inverse_of(view.turn) * Offset{away.x, away.y};
  return {anchor.title, (0.5 + at.x) * size.width, 0.5 * size.height - at.y * size.width};
}

std::optional<AnchorInPicture> anchor_near(std::span<const Anchor> anchors, const View& view, Size size, double x,
                                           double y) {
  std::optional<AnchorInPicture> nearest;
  double least = reach;
  const double log10_pixel = log2_spacing(view, size) * std::log10(2.0);
  for (const Anchor& anchor : anchors) {
    AnchorInPicture there = placed_in(anchor, view, size);
    const double distance = std::hypot(there.x - x, there.y - y);
    if (!(distance <= least) || !has_digits(anchor.re, log10_pixel) || !has_digits(anchor.im, log10_pixel)) continue;
    least = distance;
    nearest = std::move(there);
  }
  return nearest;
}

}  // namespace orrery
