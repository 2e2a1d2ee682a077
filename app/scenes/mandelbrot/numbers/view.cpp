#include "scenes/mandelbrot/numbers/view.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "base/error.hpp"

namespace orrery::mandelbrot {

void check(const View& view) {
  if (view.span.is_zero() || view.span.text().starts_with('-'))
    throw usage_error("--span", view.span.text(), "a number above 0");
}

Complex point_at(const View& view, Size size, double x, double y) {
  const double pixel = spacing(view, size);
  return {view.re.value() + pixel * (x - 0.5 * size.width), view.im.value() + pixel * (0.5 * size.height - y)};
}

double log2_spacing(const View& view, Size size) {
  return view.span.log() / std::numbers::ln2 - std::log2(static_cast<double>(size.width));
}

Placement placement(const View& base, const View& view) {
  return {ratio(view.re - base.re, base.span), ratio(view.im - base.im, base.span), ratio(view.span, base.span)};
}

View placed(const View& base, const Placement& at) {
  constexpr std::int64_t spare_digits = 12, span_digits = 17;
  const Decimal span = at.factor == 1 ? base.span : (base.span * at.factor).significant(span_digits);
  const auto last = static_cast<std::int64_t>(std::floor(span.log() / std::numbers::ln10)) - spare_digits;
  const auto moved = [&](const Decimal& center, double by) {
    return by == 0 ? center : (center + base.span * by).rounded(last);
  };
  return {moved(base.re, at.x), moved(base.im, at.y), span};
}

View zoomed(const View& view, Size size, double x, double y, double factor) {
  const double part = (1 - factor) / size.width;
  return placed(view, {part * (x - 0.5 * size.width), -part * (y - 0.5 * size.height), factor});
}

View panned(const View& view, Size size, double dx, double dy) {
  return placed(view, {-dx / size.width, dy / size.width, 1});
}

double uncovered(const View& a, const View& b, Size size) {
  const double aspect = static_cast<double>(size.height) / size.width;
  const Placement at = placement(b, a);
  const double wider = 0.5 * (1 - at.factor);
  return std::max({0.0, std::abs(at.x) + wider, std::abs(at.y) / aspect + wider});
}

View covering(const View& a, const View& b, Size size) {
  if (uncovered(a, b, size) == 0) return a;
  if (uncovered(b, a, size) == 0) return b;
  const double aspect = static_cast<double>(size.height) / size.width;
  const Placement other = placement(a, b);
  const auto joined = [&](double center, double side) {
    const double half = 0.5 * side, other_half = half * other.factor;
    const double low = std::min(-half, center - other_half), high = std::max(half, center + other_half);
    return std::pair{0.5 * (low + high), high - low};
  };
  const auto [x, width] = joined(other.x, 1);
  const auto [y, height] = joined(other.y, aspect);
  return placed(a, {x, y, std::max(width, height / aspect)});
}

Mapping mapping(const View& here, Size here_size, const View& there, Size there_size) {
  const Placement at = placement(there, here);
  const double scale = at.factor * there_size.width / here_size.width;
  return {scale, at.x * there_size.width + 0.5 * there_size.width - 0.5 * scale * here_size.width,
          -at.y * there_size.width + 0.5 * there_size.height - 0.5 * scale * here_size.height};
}

}  // namespace orrery::mandelbrot
