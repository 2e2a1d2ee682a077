/// Escapes as the host iterates them, with a bound on the rounding error of each orbit: the pixels on which every
/// correct kernel must agree. Any thread; plain values.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "scenes/mandelbrot/deep/kernel_arguments.hpp"

namespace orrery::mandelbrot {

class EscapeReference {
 public:
  /// For direct iteration in numbers with `unit` as their unit of rounding. Iterates a sample of the pixels: the first
  /// and last ones, and others evenly.
  EscapeReference(const Frame& frame, double unit);

  /// Describes the first fault of the picture, empty without one: a pixel without a result, or a difference that
  /// rounding cannot explain.
  std::string fault(std::span<const Cell> cells) const;
  /// A wrong pixel of a picture in which every pixel has a result.
  struct Wrong {
    std::string pixel;               ///< "pixel (3, 5)"
    double expected = 0, found = 0;  ///< ν, −1 for interior
  };
  std::optional<Wrong> first_wrong(std::span<const Cell> cells) const;
  /// Sampled pixels that rounding does not decide.
  std::size_t certain() const { return expected_.size(); }

 private:
  struct Expected {
    std::size_t pixel = 0;
    Cell cell;
    double tolerance = 0;  // for n + f
  };
  std::string place(std::size_t pixel) const;
  void expect(const Frame& frame, std::size_t pixel, double unit);

  std::uint32_t width_;
  std::vector<Expected> expected_;
};

}  // namespace orrery::mandelbrot
