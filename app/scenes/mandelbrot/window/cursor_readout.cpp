#include "scenes/mandelbrot/window/cursor_readout.hpp"

#include <algorithm>
#include <cmath>

#include "base/text.hpp"

namespace orrery {

using namespace mandelbrot;

namespace {

constexpr double least_told = 1e-15;  // the distance of pixels that 17 digits of a coordinate tell apart

// So many digits that neighbouring pixels differ.
std::string coordinate(double value, double unit) {
  const double leading = value == 0 ? 0 : std::floor(std::log10(std::abs(value)));
  const double digits = std::clamp(leading - std::floor(std::log10(unit)) + 1, 4.0, 17.0);
  return brief(value, static_cast<int>(digits));
}

// Where doubles end, a point is told by where it lies from the centre.
std::string place_text_at(const View& view, Size size, double x, double y) {
  const Complex c = point_at(view, size, x, y);
  const double unit = spacing(view, size);
  const auto joined = [](const std::string& re, bool minus, const std::string& im) {
    return re + (minus ? " − " : " + ") + im + " i";
  };
  if (unit > least_told * std::hypot(c.re, c.im))
    return joined(coordinate(c.re, unit), c.im < 0, coordinate(std::abs(c.im), unit));
  const auto away = [&](double pixels) { return (view.span * (pixels / size.width)).significant(3).text(); };
  const auto [right, up] = matrix_of(view.turn) * Offset{x - 0.5 * size.width, 0.5 * size.height - y};
  return "centre " + joined((right < 0 ? "− " : "+ ") + away(std::abs(right)), up < 0, away(std::abs(up)));
}

std::string cursor_text(float published, int exponent) {
  if (is_unknown(published)) return "…";
  return is_interior(published) ? "interior" : "ν " + scaled_text(static_cast<double>(published), exponent, 7);
}

}  // namespace

// value · 2^exponent, however large.
std::string scaled_text(double value, int exponent, int digits) {
  if (exponent == 0) return brief(value, digits);
  const double log10 = std::log10(value) + exponent * std::log10(2.0), power = std::floor(log10);
  return brief(std::pow(10, log10 - power), digits) + "e" + std::to_string(static_cast<std::int64_t>(power));
}

void CursorReadout::follow(PublishedPicture* picture, const View& view, Size size, glm::vec2 cursor) {
  const std::uint64_t serial = picture != nullptr ? picture->serial : 0;
  if (cursor == cursor_ && view == view_ && serial == serial_) return;
  cursor_ = cursor;
  view_ = view;
  serial_ = serial;
  const double x = std::floor(cursor.x) + 0.5, y = std::floor(cursor.y) + 0.5;
  place_ = place_text_at(view, size, x, y);
  if (picture == nullptr) return;
  ask(*picture, view, size, x, y);
  exponent_ = picture->exponent;
}

std::string CursorReadout::text(const std::string& title) {
  if (float value = 0; read_.take(&value, sizeof value)) value_ = cursor_text(value, exponent_);
  return (title.empty() ? place_ : title) + "   " + value_;
}

CursorReadout::CursorReadout() {
  glBindBuffer(GL_COPY_WRITE_BUFFER, read_.buffer());
  glBufferData(GL_COPY_WRITE_BUFFER, sizeof(float), nullptr, GL_STREAM_READ);
  glBindBuffer(GL_COPY_WRITE_BUFFER, 0);
}

void CursorReadout::ask(PublishedPicture& picture, const View& view, Size size, double x, double y) {
  read_.forget();
  const Mapping map = mapping(view, size, picture.view, picture.size);
  const Offset there = map(x, y);
  const double i = std::floor(there.x), j = std::floor(there.y);
  if (!(i >= 0 && j >= 0 && i < picture.size.width && j < picture.size.height)) return;
  const auto index = static_cast<GLintptr>(j) * picture.size.width + static_cast<GLintptr>(i);
  glBindBuffer(GL_COPY_READ_BUFFER, picture.surface->gl_buffer());
  glBindBuffer(GL_COPY_WRITE_BUFFER, read_.buffer());
  glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, index * GLintptr{sizeof(float)}, 0, sizeof(float));
  glBindBuffer(GL_COPY_READ_BUFFER, 0);
  glBindBuffer(GL_COPY_WRITE_BUFFER, 0);
  picture.surface->drawn();
  read_.begin();
}

}  // namespace orrery
