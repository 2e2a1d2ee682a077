#include "model/mandelbrot/view.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace orrery::mandelbrot {

void check(const View& view) {
  const std::string& text = view.span.text();
  const std::string_view digits = std::string_view(text).substr(0, text.find_first_of("eE"));
  const bool positive = !digits.starts_with('-') && digits.find_first_of("123456789") != std::string_view::npos;
  if (!positive) throw usage_error("--span cannot be", text, "allowed: > 0");
}

Complex point_at(const View& view, Size size, double x, double y) {
  const double span = view.span.value();
  return {view.re.value() + span * (x / size.width - 0.5),
          view.im.value() + span * size.height / size.width * (0.5 - y / size.height)};
}

View zoomed(const View& view, Size size, double x, double y, double factor) {
  // The offset from the centre first: it keeps all its digits however small it is.
  const double unit = spacing(view, size) * (1 - factor);
  return {Decimal(view.re.value() + unit * (x - 0.5 * size.width)),
          Decimal(view.im.value() - unit * (y - 0.5 * size.height)), Decimal(view.span.value() * factor)};
}

View panned(const View& view, Size size, double dx, double dy) {
  const double unit = spacing(view, size);
  return {Decimal(view.re.value() - unit * dx), Decimal(view.im.value() + unit * dy), view.span};
}

double uncovered(const View& a, const View& b, Size size) {
  const double aspect = static_cast<double>(size.height) / size.width;
  const double wider = 0.5 * (b.span.value() - a.span.value());
  const double beyond_x = std::abs(b.re.value() - a.re.value()) + wider;
  const double beyond_y = std::abs(b.im.value() - a.im.value()) / aspect + wider;
  return std::max({0.0, beyond_x, beyond_y}) / b.span.value();
}

View covering(const View& a, const View& b, Size size) {
  if (uncovered(a, b, size) == 0) return a;
  if (uncovered(b, a, size) == 0) return b;
  const double aspect = static_cast<double>(size.height) / size.width;
  const auto joined = [](double center, double half, double other, double other_half) {
    const double low = std::min(center - half, other - other_half), high = std::max(center + half, other + other_half);
    return std::pair{0.5 * (low + high), high - low};
  };
  const double half = 0.5 * a.span.value(), other = 0.5 * b.span.value();
  const auto [re, width] = joined(a.re.value(), half, b.re.value(), other);
  const auto [im, height] = joined(a.im.value(), half * aspect, b.im.value(), other * aspect);
  return {Decimal(re), Decimal(im), Decimal(std::max(width, height / aspect))};
}

Mapping mapping(const View& here, Size here_size, const View& there, Size there_size) {
  const double unit = spacing(there, there_size);
  const double scale = spacing(here, here_size) / unit;
  const double dx = (here.re.value() - there.re.value()) / unit;
  const double dy = (there.im.value() - here.im.value()) / unit;
  return {scale, dx + 0.5 * there_size.width - 0.5 * scale * here_size.width,
          dy + 0.5 * there_size.height - 0.5 * scale * here_size.height};
}

}  // namespace orrery::mandelbrot
