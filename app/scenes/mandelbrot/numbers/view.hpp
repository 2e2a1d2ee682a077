/// The place of a picture in the complex plane, and the places of its pixels.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "base/decimal.hpp"
#include "base/parameter.hpp"
#include "scenes/mandelbrot/numbers/formula.hpp"

namespace orrery::mandelbrot {

inline constexpr double largest_rotation = 360, largest_stretch = 100;

/// The turn and the stretch of a view around its centre.
///
/// The offset of a pixel from the picture's middle, right and up, is first rotated, then stretched by a factor along an
/// axis of the plane and by its inverse across: areas stay. Order and meaning are those of Kalles Fraktaler 2+ (C.
/// Heiland-Allen, kf-2.15, common/matrix.cpp, polar_composition), which mathr.co.uk/kf/manual.html describes. A level
/// view has the identity, exactly.
struct Turn {
  double rotation = 0;       ///< degrees from the real axis to the picture's right side, anticlockwise
  double stretch = 1;        ///< factor of the picture's extent along the axis; its inverse applies across
  double stretch_angle = 0;  ///< degrees from the real axis to that axis, anticlockwise
  bool operator==(const Turn&) const = default;

  bool level() const { return rotation == 0 && stretch == 1; }
  /// The largest factor by which it lengthens an offset; the inverse is the smallest.
  double reach() const { return std::max(stretch, 1 / stretch); }
};

/// rotation, stretch and stretch-angle, as the command line and files name them.
std::vector<Parameter> parameters(Turn& turn);

/// Right and up.
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

/// Maps the picture's axes to the plane's. Exact for whole quarters of a turn.
Matrix matrix_of(const Turn& turn);
/// Maps the plane's axes to the picture's.
Matrix inverse_of(const Turn& turn);
/// Maps the axes of `from`'s picture to those of `to`'s; exactly the identity if both are turned alike.
Matrix between(const Turn& to, const Turn& from);

/// A turn on the shorter way between both; exactly the ends at 0 and 1.
Turn mixed(const Turn& from, const Turn& to, double part);
/// The approximate maximum that a point moves between the two turns, relative to its distance from the centre.
double distance(const Turn& a, const Turn& b);
/// The angle, from -180 to 180.
double wrapped_degrees(double angle);

/// The centre and the width of the picture, its turn, and its formula. The default is x in [-1.401155 - 0.75, -1.401155
/// + 2.25].
struct View {
  Decimal re{-0.651155};
  Decimal im{0.0};
  Decimal span{3.0};
  Turn turn = {};
  Formula formula = {};
  bool operator==(const View&) const = default;
};

/// The default view, or that of the whole set of another power.
View whole_set(Formula formula);

/// The range of spans: decimals have exponents of five digits.
const Decimal& smallest_span();
const Decimal& widest_span();

/// center-re, center-im and span, then those of further_parameters().
std::vector<Parameter> parameters(View& view);
/// The parameters of its turn and of its formula. The default is level, and z² + c.
std::vector<Parameter> further_parameters(View& view);
/// Throws a usage Error for a value out of its range.
void check(View view);

struct Complex {
  double re = 0;
  double im = 0;
};

struct Size {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  bool operator==(const Size&) const = default;
  std::size_t pixels() const { return std::size_t{width} * height; }
};

/// The distance of adjacent pixels, where the view is not stretched; 0 where that is too small for a double.
inline double spacing(const View& view, Size size) { return view.span.value() / size.width; }
/// The point at (x, y), in pixels from the picture's top left corner; a pixel's middle is at i + 1/2.
Complex point_at(const View& view, Size size, double x, double y);
/// log₂ of spacing(), at any depth.
double log2_spacing(const View& view, Size size);
/// log₂ of the least distance of adjacent pixels: across a stretch.
double log2_finest_spacing(const View& view, Size size);

/// The place of a view in another one, in spans of the latter: its centre along the axes of the plane, y up, and its
/// width. Visible differences fit doubles at any depth.
struct Placement {
  double x = 0;
  double y = 0;
  double factor = 1;
};
Placement placement(const View& base, const View& view);
/// Whether they show a common part of the plane at similar sizes.
bool alike(const View& a, const View& b);
/// The view at that placement in `base`, with the same turn. Its centre has a dozen digits more than its span needs; an
/// unchanged centre keeps all of its digits.
View placed(const View& base, const Placement& at);
/// The same with x and y along the sides of `base`'s picture.
View placed_in_picture(const View& base, const Placement& at);

/// The view that is `factor` as wide and has the same point at (x, y).
View zoomed(const View& view, Size size, double x, double y, double factor);
/// The view whose picture is this one moved by (dx, dy) pixels, y down.
View panned(const View& view, Size size, double dx, double dy);

/// A view of that shape that shows all of both, of one plane: `a` or `b` if one does, else the smallest one with the
/// turn of `a`.
View covering(const View& a, const View& b, Size size);
/// The part of its width or height by which `b` reaches beyond `a`; infinite where `a` is of another plane.
double uncovered(const View& a, const View& b, Size size);

/// The mapping of pixels from one picture to another: there = A·here + (x, y), in pixels, y down. Between different
/// planes x and y are not finite.
struct Mapping {
  double xx = 1, xy = 0, yx = 0, yy = 1;  ///< A
  double x = 0;
  double y = 0;

  /// Pixels there for one here.
  double scale() const;
  /// The pictures differ in turn or stretch.
  bool turns() const { return xy != 0 || yx != 0 || xx != yy; }
  Offset operator()(double here_x, double here_y) const {
    return {xx * here_x + xy * here_y + x, yx * here_x + yy * here_y + y};
  }
};
Mapping mapping(const View& here, Size here_size, const View& there, Size there_size);

}  // namespace orrery::mandelbrot
