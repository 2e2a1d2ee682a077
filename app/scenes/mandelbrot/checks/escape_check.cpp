#include "scenes/mandelbrot/checks/escape_check.hpp"

#include <algorithm>
#include <cmath>

#include "base/text.hpp"

namespace orrery::mandelbrot {
namespace {

constexpr std::size_t sampled = 4096, at_the_ends = 64;

}  // namespace

EscapeReference::EscapeReference(const Frame& frame, double unit) : width_(frame.size.width) {
  const std::size_t pixels = frame.part().pixels();
  const std::size_t step = std::max<std::size_t>(pixels / sampled, 1) | 1;  // odd: not always the same columns
  for (std::size_t pixel = 0; pixel < pixels; ++pixel)
    if (pixel % step == 0 || pixel < at_the_ends || pixel + at_the_ends >= pixels) expect(frame, pixel, unit);
}

// A running error analysis (Higham, Accuracy and Stability of Numerical Algorithms, 3.3). `error` bounds how far a
// rounded orbit is from the one here: c is off by a few units of |c| and the span; a step multiplies the error by 2|z|
// and adds a few units of |z|² and |c|.
void EscapeReference::expect(const Frame& frame, std::size_t pixel, double unit) {
  const Complex c = point_at(frame.view, frame.size, static_cast<double>(pixel % width_) + frame.shifts[0].x,
                             static_cast<double>(pixel / width_) + frame.shifts[0].y);
  const Formula formula = frame.view.formula;
  const double size = std::hypot(c.re, c.im), radius = frame.escape_radius;
  const double off_c = 8 * unit * (size + frame.view.span.value() * frame.view.turn.reach());
  constexpr double rough = 1e-2;  // part of |z|; the pixel is chaotic above it
  std::complex<double> point;
  double error = 0;
  for (std::uint32_t n = 0; n < frame.limit; ++n) {
    const double z = std::abs(point);
    if (n > 8 && error > rough * std::max(z, 1e-3)) return;
    if (z > radius) {
      if (z * (1 - 8 * unit) - error <= radius) return;
      const double value = formula.smooth(n, std::log(z), radius);
      const double least = 1e-5;  // f is a float, computed from three logarithms
      expected_.push_back(
          {pixel, {n, static_cast<float>(value - n)}, least + error / (z * std::log(z) * std::log(2.0))});
      return;
    }
    if (z * (1 + 8 * unit) + error > radius) return;
    const double rounding = 8 * unit * static_cast<double>(formula.power - 1);
    error = formula.steepness(z, z + error) * error + rounding * (formula.lower(z) * z + size) + off_c;
    point = formula.next(point, {c.re, c.im});
  }
  expected_.push_back({pixel, {Cell::proved_interior, 0}, 0});
}

std::string EscapeReference::place(std::size_t pixel) const {
  return "pixel (" + std::to_string(pixel % width_) + ", " + std::to_string(pixel / width_) + ")";
}

std::string EscapeReference::fault(std::span<const Cell> cells) const {
  for (std::size_t pixel = 0; pixel < cells.size(); ++pixel)
    if (cells[pixel].n == Cell::undecided) return place(pixel) + " has no result";
  const auto wrong = first_wrong(cells);
  return wrong ? wrong->pixel + " is " + brief(wrong->found, 8) + ", expected " + brief(wrong->expected, 8) +
                     " (−1: interior)"
               : std::string();
}

std::optional<EscapeReference::Wrong> EscapeReference::first_wrong(std::span<const Cell> cells) const {
  for (const Expected& each : expected_) {
    const Cell& cell = cells[each.pixel];
    const bool same =
        cell.interior() == each.cell.interior() &&
        (cell.interior() || (cell.n == each.cell.n && std::abs(cell.value() - each.cell.value()) <= each.tolerance));
    if (!same) return Wrong{place(each.pixel), each.cell.value(), cell.value()};
  }
  return std::nullopt;
}

}  // namespace orrery::mandelbrot
