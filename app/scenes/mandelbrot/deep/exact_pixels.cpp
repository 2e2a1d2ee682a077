#include "scenes/mandelbrot/deep/exact_pixels.hpp"

#include <algorithm>
#include <cmath>
#include <ranges>

namespace orrery::mandelbrot {
namespace {

constexpr Complex ends_of_orbits[] = {{-2, 0}, {0, 1}, {0, -1}};  // of z² + c: the only ones that doubles hold

const Decimal zero;

/// The places of a frame's pixels, as exact as the decimal numbers of its view.
class Grid {
 public:
  explicit Grid(const Frame& frame) : frame_(frame), turn_(matrix_of(frame.view.turn)), width_(frame.size.width) {}

  /// The column and the row nearest to c; outside the frame there is no such pixel.
  Offset nearest(Complex c) const {
    const View& view = frame_.view;
    const Offset away = inverse_of(view.turn) *
                        Offset{ratio(Decimal(c.re) - view.re, view.span), ratio(Decimal(c.im) - view.im, view.span)};
    return {std::round(width_ * away.x + frame_.middle_x()), std::round(frame_.middle_y() - width_ * away.y)};
  }
  bool has(Offset pixel) const { return pixel.x >= 0 && pixel.x < width_ && has_row(pixel.y); }
  bool has_row(double row) const { return row >= frame_.first_row && row - frame_.first_row < frame_.rows; }
  std::uint32_t index(Offset pixel) const {
    return static_cast<std::uint32_t>((pixel.y - frame_.first_row) * width_ + pixel.x);
  }
  /// The parts of c minus that number, times the width.
  Decimal re_beyond(double number, Offset pixel) const {
    return (frame_.view.re - Decimal(number)) * width_ + frame_.view.span * offset_of(pixel).x;
  }
  Decimal im_beyond(double number, Offset pixel) const {
    return (frame_.view.im - Decimal(number)) * width_ + frame_.view.span * offset_of(pixel).y;
  }

 private:
  Offset offset_of(Offset pixel) const {
    return turn_ * Offset{pixel.x - frame_.middle_x(), frame_.middle_y() - pixel.y};
  }

  const Frame& frame_;
  Matrix turn_;
  double width_;
};

}  // namespace

std::vector<std::uint32_t> exact_interior(const Frame& frame) {
  const Grid grid(frame);
  std::vector<std::uint32_t> pixels;
  const Formula formula = frame.view.formula;
  for (const Complex c : ends_of_orbits) {
    if (!formula.quadratic()) break;
    const Offset pixel = grid.nearest(c);
    if (grid.has(pixel) && grid.re_beyond(c.re, pixel).is_zero() && grid.im_beyond(c.im, pixel).is_zero())
      pixels.push_back(grid.index(pixel));
  }
  const double row = grid.nearest({frame.view.re.value(), 0}).y;
  if (!formula.even() || !frame.view.turn.level() || !grid.has_row(row) || !grid.im_beyond(0, {0, row}).is_zero())
    return pixels;
  const std::pair ends = formula.axis();
  const auto columns = std::views::iota(std::uint32_t{0}, frame.size.width);
  const auto first = std::ranges::partition_point(columns, [&](std::uint32_t i) {
    return grid.re_beyond(ends.first, {1.0 * i, row}) < zero;
  });
  const auto end = std::ranges::partition_point(columns, [&](std::uint32_t i) {
    return !(zero < grid.re_beyond(ends.second, {1.0 * i, row}));
  });
  for (auto i = first; i < end; ++i) pixels.push_back(grid.index({1.0 * *i, row}));
  return pixels;
}

}  // namespace orrery::mandelbrot
