/// Escapes as the host iterates them, with a bound on what rounding does to an orbit: which pixels every correct kernel
/// must agree on. Any thread; plain values.
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

  /// How the picture is wrong, empty when it is right: a pixel without a result; one that differs although rounding
  /// cannot explain it.
  std::string fault(std::span<const Cell> cells) const;
  /// Of a picture in which every pixel has a result.
  struct Wrong {
    std::string pixel;               ///< "pixel (3, 5)"
    double expected = 0, found = 0;  ///< ν, −1 for interior
  };
  std::optional<Wrong> first_wrong(std::span<const Cell> cells) const;
  /// Of the sample: what rounding does not decide.
  std::size_t certain() const { return expected_.size(); }

 private:
  struct Expected {
    std::size_t pixel = 0;
    Cell cell;
    double tolerance = 0;  // of n + f
  };
  std::string place(std::size_t pixel) const;
  void expect(const Frame& frame, std::size_t pixel, double unit);

  std::uint32_t width_;
  std::vector<Expected> expected_;
};

}  // namespace orrery::mandelbrot
