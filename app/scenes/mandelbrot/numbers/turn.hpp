/// How a view is turned and stretched around its centre.
///
/// The offset of a pixel from the picture's middle, right and up, is first rotated, then stretched by a factor along an
/// axis of the plane and by its inverse across: areas stay. That is the order and the meaning of Kalles Fraktaler 2+
/// (C. Heiland-Allen, kf-2.15, common/matrix.cpp, polar_composition), which mathr.co.uk/kf/manual.html describes. A
/// level view has the identity, exactly. Plain values.
#pragma once

#include <algorithm>
#include <vector>

#include "base/parameter.hpp"

namespace orrery::mandelbrot {

inline constexpr double largest_rotation = 360, largest_stretch = 100;

struct Turn {
  double rotation = 0;       ///< degrees from the real axis to the picture's right side, anticlockwise
  double stretch = 1;        ///< the picture reaches so many times as far along the axis, and 1/stretch as far across
  double stretch_angle = 0;  ///< degrees from the real axis to that axis, anticlockwise
  bool operator==(const Turn&) const = default;

  bool level() const { return rotation == 0 && stretch == 1; }
  /// The most that it lengthens an offset; it shortens none more than by the inverse.
  double reach() const { return std::max(stretch, 1 / stretch); }
};

/// rotation, stretch and stretch-angle, as the command line and files name them.
std::vector<Parameter> parameters(Turn& turn);

/// To the right and up.
struct Offset {
  double x = 0;
  double y = 0;
};

struct Matrix {
  double xx = 1, xy = 0;
  double yx = 0, yy = 1;
};
Offset operator*(const Matrix& matrix, Offset at);
Matrix operator*(const Matrix& a, const Matrix& b);

/// From the picture's axes to those of the plane. Exact for whole quarters of a turn.
Matrix matrix_of(const Turn& turn);
/// From the plane's axes to those of the picture.
Matrix inverse_of(const Turn& turn);
/// From the axes of `from`'s picture to those of `to`'s; exactly the identity if both are turned alike.
Matrix between(const Turn& to, const Turn& from);

/// On the shorter way from the one to the other; exactly the ends at 0 and 1.
Turn mixed(const Turn& from, const Turn& to, double part);
/// How far a point moves at most between the two, in its distances from the centre, roughly.
double distance(const Turn& a, const Turn& b);
/// The angle, from -180 to 180.
double wrapped_degrees(double angle);

}  // namespace orrery::mandelbrot
