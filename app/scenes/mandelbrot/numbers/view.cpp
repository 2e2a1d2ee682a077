#include "scenes/mandelbrot/numbers/view.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "base/error.hpp"

namespace orrery::mandelbrot {
namespace {

constexpr double radians = std::numbers::pi / 180;

// (cos, sin)
Offset direction_of(double degrees) {
  const double quarters = std::round(degrees / 90), rest = (degrees - 90 * quarters) * radians;
  const double c = std::cos(rest), s = std::sin(rest);
  switch (static_cast<int>(std::remainder(quarters, 4))) {
    case 0:
      return {c, s};
    case 1:
      return {-s, c};
    case -1:
      return {s, -c};
    default:
      return {-c, -s};
  }
}

Matrix rotation_by(double degrees) {
  const Offset right = direction_of(degrees);
  return {right.x, -right.y, right.y, right.x};
}

// Scales by the factor along an axis, and by its inverse across.
Matrix stretch_by(double factor, double degrees) {
  const Offset axis = direction_of(degrees);
  const double across = 1 / factor, mixed = (factor - across) * axis.x * axis.y;
  return {factor * axis.x * axis.x + across * axis.y * axis.y, mixed, mixed,
          factor * axis.y * axis.y + across * axis.x * axis.x};
}

// Axes half a turn apart are the same.
double wrapped_axis(double degrees) { return std::remainder(degrees, 180); }

}  // namespace

std::vector<Parameter> parameters(Turn& turn) {
  return {{{.name = "rotation",
            .label = "Rotation",
            .unit = "degrees",
            .help = "angle from the real axis to the right side of the picture, anticlockwise",
            .minimum = -largest_rotation,
            .maximum = largest_rotation},
           &turn.rotation},
          {{.name = "stretch",
            .label = "Stretch",
            .help = "factor by which the view reaches farther along an axis, and less far across it",
            .minimum = 1 / largest_stretch,
            .maximum = largest_stretch,
            .logarithmic = true},
           &turn.stretch},
          {{.name = "stretch-angle",
            .label = "Stretch angle",
            .unit = "degrees",
            .help = "angle from the real axis to the axis of the stretch, anticlockwise",
            .minimum = -largest_rotation,
            .maximum = largest_rotation},
           &turn.stretch_angle}};
}

// Without a turn, numbers stay unchanged, infinite ones too.
Offset operator*(const Matrix& m, Offset at) {
  if (m.xy == 0 && m.yx == 0) return {m.xx * at.x, m.yy * at.y};
  return {m.xx * at.x + m.xy * at.y, m.yx * at.x + m.yy * at.y};
}

Matrix operator*(const Matrix& a, const Matrix& b) {
  return {a.xx * b.xx + a.xy * b.yx, a.xx * b.xy + a.xy * b.yy, a.yx * b.xx + a.yy * b.yx, a.yx * b.xy + a.yy * b.yy};
}

Matrix matrix_of(const Turn& turn) {
  const Matrix rotation = rotation_by(turn.rotation);
  return turn.stretch == 1 ? rotation : stretch_by(turn.stretch, turn.stretch_angle) * rotation;
}

Matrix inverse_of(const Turn& turn) {
  const Matrix rotation = rotation_by(-turn.rotation);
  return turn.stretch == 1 ? rotation : rotation * stretch_by(1 / turn.stretch, turn.stretch_angle);
}

Matrix between(const Turn& to, const Turn& from) { return to == from ? Matrix{} : inverse_of(to) * matrix_of(from); }

Turn mixed(const Turn& from, const Turn& to, double part) {
  if (from == to || part >= 1) return to;
  if (part <= 0) return from;
  // Without a stretch there is no axis.
  const double begin = from.stretch == 1 ? to.stretch_angle : from.stretch_angle;
  const double end = to.stretch == 1 ? begin : to.stretch_angle;
  return {from.rotation + part * wrapped_degrees(to.rotation - from.rotation),
          std::exp(std::lerp(std::log(from.stretch), std::log(to.stretch), part)),
          begin + part * wrapped_axis(end - begin)};
}

double distance(const Turn& a, const Turn& b) {
  if (a == b) return 0;
  const double bent = std::min(std::abs(std::log(a.stretch)), std::abs(std::log(b.stretch)));
  return std::abs(wrapped_degrees(a.rotation - b.rotation)) * radians + std::abs(std::log(a.stretch / b.stretch)) +
         2 * bent * std::abs(wrapped_axis(a.stretch_angle - b.stretch_angle)) * radians;
}

double wrapped_degrees(double angle) { return std::remainder(angle, 360) + 0.0; }

// ---- views

namespace {

// The size of the box around a picture of width 1 with that turn.
Offset extent(const Matrix& turn, double height) {
  return {std::abs(turn.xx) + height * std::abs(turn.xy), std::abs(turn.yx) + height * std::abs(turn.yy)};
}

}  // namespace

View whole_set(Formula formula) {
  constexpr double wide = 5.2;  // the tips lie up to 1.42 above and below 0
  if (formula.quadratic()) return {};
  return {.re = Decimal(0.0), .im = Decimal(0.0), .span = Decimal(wide), .formula = formula};
}

const Decimal& smallest_span() {
  static const Decimal span = Decimal::parse("1e-99990", "span");
  return span;
}

const Decimal& widest_span() {
  static const Decimal span(1e3);
  return span;
}

std::vector<Parameter> further_parameters(View& view) {
  return joined({parameters(view.turn), parameters(view.formula)});
}

std::vector<Parameter> parameters(View& view) {
  constexpr double farthest = 1000;
  ParameterInfo re{.name = "center-re",
                   .label = "Centre, real",
                   .help = "real part of the centre, a decimal number of any length",
                   .placeholder = "X",
                   .minimum = -farthest,
                   .maximum = farthest,
                   .place = ParameterPlace::view};
  ParameterInfo im = re;
  im.name = "center-im";
  im.label = "Centre, imag.";
  im.help = "imaginary part of the centre";
  const ParameterInfo span{.name = "span",
                           .label = "Span",
                           .help = "width of the view in the plane",
                           .placeholder = "X",
                           .maximum = widest_span().value(),
                           .least = smallest_span().text(),
                           .place = ParameterPlace::view};
  return joined({{{re, &view.re}, {im, &view.im}, {span, &view.span}}, further_parameters(view)});
}

void check(View view) {
  for (Parameter& each : parameters(view)) each.assign(each.value());
}

Complex point_at(const View& view, Size size, double x, double y) {
  const double pixel = spacing(view, size);
  const Offset at = matrix_of(view.turn) * Offset{x - 0.5 * size.width, 0.5 * size.height - y};
  return {view.re.value() + pixel * at.x, view.im.value() + pixel * at.y};
}

double log2_spacing(const View& view, Size size) {
  return view.span.log() / std::numbers::ln2 - std::log2(static_cast<double>(size.width));
}

double log2_finest_spacing(const View& view, Size size) {
  return log2_spacing(view, size) - std::log2(view.turn.reach());
}

Placement placement(const View& base, const View& view) {
  return {ratio(view.re - base.re, base.span), ratio(view.im - base.im, base.span), ratio(view.span, base.span)};
}

bool alike(const View& a, const View& b) {
  constexpr double far = 16;
  if (!(a.formula == b.formula)) return false;
  const Placement at = placement(a, b);
  return at.factor > 1 / far && at.factor < far && std::hypot(at.x, at.y) < std::max(1.0, at.factor);
}

View placed(const View& base, const Placement& at) {
  constexpr std::int64_t spare_digits = 12, span_digits = 17;
  const Decimal span = at.factor == 1 ? base.span : (base.span * at.factor).significant(span_digits);
  const auto last = static_cast<std::int64_t>(std::floor(span.log() / std::numbers::ln10)) - spare_digits;
  const auto moved = [&](const Decimal& center, double by) {
    return by == 0 ? center : (center + base.span * by).rounded(last);
  };
  return {moved(base.re, at.x), moved(base.im, at.y), span, base.turn, base.formula};
}

View placed_in_picture(const View& base, const Placement& at) {
  const Offset moved = matrix_of(base.turn) * Offset{at.x, at.y};
  return placed(base, {moved.x, moved.y, at.factor});
}

View zoomed(const View& view, Size size, double x, double y, double factor) {
  const double part = (1 - factor) / size.width;
  return placed_in_picture(view, {part * (x - 0.5 * size.width), -part * (y - 0.5 * size.height), factor});
}

View panned(const View& view, Size size, double dx, double dy) {
  return placed_in_picture(view, {-dx / size.width, dy / size.width, 1});
}

// Measured along the sides of `a`'s picture, in widths and heights of `b`.
double uncovered(const View& a, const View& b, Size size) {
  if (!(a.formula == b.formula)) return std::numeric_limits<double>::infinity();
  const double aspect = static_cast<double>(size.height) / size.width;
  const Placement at = placement(b, a);
  const Offset away = inverse_of(a.turn) * Offset{at.x, at.y};
  if (std::isnan(away.x) || std::isnan(away.y)) return std::numeric_limits<double>::infinity();
  const Offset sides = extent(between(a.turn, b.turn), aspect);
  return std::max({0.0, std::abs(away.x) + 0.5 * (sides.x - at.factor),
                   std::abs(away.y) / aspect + 0.5 * (sides.y / aspect - at.factor)});
}

View covering(const View& a, const View& b, Size size) {
  if (uncovered(a, b, size) == 0) return a;
  if (uncovered(b, a, size) == 0) return b;
  const double aspect = static_cast<double>(size.height) / size.width;
  const Placement other = placement(a, b);
  const Offset center = inverse_of(a.turn) * Offset{other.x, other.y};
  const Offset sides = extent(between(a.turn, b.turn), aspect);
  const auto joined = [&](double middle, double side, double other_side) {
    const double half = 0.5 * side, other_half = 0.5 * other_side * other.factor;
    const double low = std::min(-half, middle - other_half), high = std::max(half, middle + other_half);
    return std::pair{0.5 * (low + high), high - low};
  };
  const auto [x, width] = joined(center.x, 1, sides.x);
  const auto [y, height] = joined(center.y, aspect, sides.y);
  return placed_in_picture(a, {x, y, std::max(width, height / aspect)});
}

double Mapping::scale() const { return std::sqrt(std::abs(xx * yy - xy * yx)); }

Mapping mapping(const View& here, Size here_size, const View& there, Size there_size) {
  constexpr double nowhere = std::numeric_limits<double>::infinity();
  if (!(here.formula == there.formula)) return {.x = nowhere, .y = nowhere};
  const Placement at = placement(there, here);
  const double scale = at.factor * there_size.width / here_size.width;
  const Matrix turn = between(there.turn, here.turn);
  const Offset middle = inverse_of(there.turn) * Offset{at.x, at.y};
  Mapping map{scale * turn.xx, -scale * turn.xy, -scale * turn.yx, scale * turn.yy};
  const Offset half = map(0.5 * here_size.width, 0.5 * here_size.height);
  map.x = middle.x * there_size.width + 0.5 * there_size.width - half.x;
  map.y = -middle.y * there_size.width + 0.5 * there_size.height - half.y;
  return map;
}

}  // namespace orrery::mandelbrot
