/// The structs that kernels/mandelbrot/mandelbrot.cl takes by value, and its counters; `Real` is the kernel's
/// precision.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

#include "compute/device/opencl.hpp"
#include "scenes/mandelbrot/numbers/view.hpp"

namespace orrery::mandelbrot {

/// Where a sample lies in its pixel, 0 … 1 right and down.
struct SampleShift {
  double x = 0.5, y = 0.5;
  bool operator==(const SampleShift&) const = default;
};
/// The most samples of a pixel that can be computed together (STACKED of kernels/mandelbrot/mandelbrot.clh).
inline constexpr std::uint32_t most_stacked = 8;

/// A picture, or some whole rows of it, with one or several samples of each pixel. The rows of each sample follow those
/// of the sample before.
struct Frame {
  View view;
  Size size;                    ///< of the whole picture
  std::uint32_t first_row = 0;  ///< of the rows computed here …
  std::uint32_t rows = 0;       ///< … and their number
  std::array<SampleShift, most_stacked> shifts = {};
  std::uint32_t samples = 1;
  double escape_radius = 100;
  std::uint32_t limit = 100;  ///< N
  /// N is automatic: deep on the ladder it, and n, may be in larger units (Renderer::value_exponent()).
  bool automatic = false;
  bool progressive = true;  ///< coarse to fine; else every pixel in the first pass, when the picture is not displayed

  /// The pixels of one sample, and of all samples.
  Size part() const { return {size.width, rows}; }
  Size stack() const { return {size.width, rows * samples}; }
  /// The frame with sample k alone.
  Frame sample(std::uint32_t k) const {
    Frame frame = *this;
    frame.shifts = {shifts[k]};
    frame.samples = 1;
    return frame;
  }
  /// The distance of pixel (i, j)'s sample from the picture's middle is i − middle_x() pixels right and middle_y() − j
  /// up. For samples in the middle of their pixels these are exact, whole multiples of 1/2.
  double middle_x(std::uint32_t k = 0) const { return 0.5 * size.width - shifts[k].x; }
  double middle_y(std::uint32_t k = 0) const { return 0.5 * size.height - shifts[k].y; }
  bool operator==(const Frame&) const = default;
};

inline Frame whole_frame(const View& view, Size size) { return {.view = view, .size = size, .rows = size.height}; }

template <class Real>
struct GridArgument {
  std::array<Real, most_stacked> middle_x, middle_y;
  cl_uint first_row;
  cl_uint width, height;
  cl_uint samples;

  explicit GridArgument(const Frame& frame)
      : first_row(frame.first_row), width(frame.size.width), height(frame.rows), samples(frame.samples) {
    for (std::uint32_t k = 0; k < most_stacked; ++k) {
      middle_x[k] = static_cast<Real>(frame.middle_x(k));
      middle_y[k] = static_cast<Real>(frame.middle_y(k));
    }
  }
};
static_assert(sizeof(GridArgument<float>) == 80 && sizeof(GridArgument<double>) == 144);

template <class Real>
struct PlaneArgument {
  Real center_re, center_re_low;
  Real center_im, center_im_low;
  Real spacing;
  Real right_re, right_im, up_re, up_im;
  GridArgument<Real> grid;

  explicit PlaneArgument(const Frame& frame) : PlaneArgument(frame, matrix_of(frame.view.turn)) {}

 private:
  PlaneArgument(const Frame& frame, const Matrix& turn)
      : center_re(static_cast<Real>(frame.view.re.value())),
        center_re_low(static_cast<Real>(frame.view.re.value() - static_cast<double>(center_re))),
        center_im(static_cast<Real>(frame.view.im.value())),
        center_im_low(static_cast<Real>(frame.view.im.value() - static_cast<double>(center_im))),
        spacing(static_cast<Real>(mandelbrot::spacing(frame.view, frame.size))),
        right_re(static_cast<Real>(mandelbrot::spacing(frame.view, frame.size) * turn.xx)),
        right_im(static_cast<Real>(mandelbrot::spacing(frame.view, frame.size) * turn.yx)),
        up_re(static_cast<Real>(mandelbrot::spacing(frame.view, frame.size) * turn.xy)),
        up_im(static_cast<Real>(mandelbrot::spacing(frame.view, frame.size) * turn.yy)),
        grid(frame) {}
};
static_assert(sizeof(PlaneArgument<float>) == 116 && sizeof(PlaneArgument<double>) == 216);

/// The pixels and steps of a launch; kernels/mandelbrot/mandelbrot_passes.clh explains each field.
struct Round {
  std::uint32_t first = 0, count = 0;
  std::uint32_t start = 0, steps = 0;
  std::uint32_t from = 0, to = 0;
  std::uint32_t last = 0;
  std::uint32_t stride = 1, refines = 0;
};

template <class Real>
struct RoundArgument {
  Real radius2, inverse_ln_radius;
  Round round;
  cl_uint late;

  RoundArgument(const Round& launch, double escape_radius, std::uint32_t late_from)
      : radius2(static_cast<Real>(escape_radius * escape_radius)),
        inverse_ln_radius(static_cast<Real>(1 / std::log(escape_radius))),
        round(launch),
        late(late_from) {}
};
static_assert(sizeof(RoundArgument<float>) == 48 && sizeof(RoundArgument<double>) == 56);

/// The lengths of the three lists, then sums.
struct Counters {
  cl_uint lists[3];
  cl_uint decided;
  cl_uint escaped;
  cl_uint late;  ///< escapes beyond RoundArgument::late
  cl_uint iterations_low;
  cl_uint iterations_high;

  double iterations() const { return iterations_low + 0x1p32 * iterations_high; }
};

/// A pixel's result: its smooth value is n + f.
struct Cell {
  static constexpr std::uint32_t undecided = 0;
  static constexpr std::uint32_t proved_interior = 0xfffffffe;
  static constexpr std::uint32_t at_limit = 0xffffffff;  ///< no escape up to the limit

  std::uint32_t n = undecided;
  float f = 0;

  bool interior() const { return n >= proved_interior; }
  /// The smooth iteration count, −1 for interior.
  double value() const { return interior() ? -1 : n + static_cast<double>(f); }
  bool operator==(const Cell&) const = default;
};
static_assert(sizeof(Cell) == sizeof(cl_uint2));

/// ν of a cell that counts in units of 2^exponent, or in other units.
inline double value_of(const Cell& cell, int exponent) {
  return cell.interior() ? -1 : std::ldexp(cell.value(), exponent);
}

/// Published values of points that are proved to be interior, and of points that have not escaped at the limit.
inline constexpr float interior_value = -1e30f, at_limit_value = -2e30f;
/// Whether a published value stands for either of these, or for an unknown pixel
/// (kernels/mandelbrot/mandelbrot_publish.cl).
inline bool is_interior(float published) { return published < -1e29f && published > -2e38f; }
inline bool is_unknown(float published) { return published <= -2e38f; }

}  // namespace orrery::mandelbrot
