#include "model/mandelbrot/view.hpp"

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

Mapping mapping(const View& here, Size here_size, const View& there, Size there_size) {
  const double unit = spacing(there, there_size);
  const double scale = spacing(here, here_size) / unit;
  const double dx = (here.re.value() - there.re.value()) / unit;
  const double dy = (there.im.value() - here.im.value()) / unit;
  return {scale, dx + 0.5 * there_size.width - 0.5 * scale * here_size.width,
          dy + 0.5 * there_size.height - 0.5 * scale * here_size.height};
}

}  // namespace orrery::mandelbrot
