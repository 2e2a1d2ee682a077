#include "scenes/mandelbrot/numbers/turn.hpp"

#include <cmath>
#include <numbers>

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

// By the factor along an axis, and by its inverse across.
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

// Without a turn numbers stay as they are, infinite ones too.
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
  // What is not stretched has no axis.
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

}  // namespace orrery::mandelbrot
