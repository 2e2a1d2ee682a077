/// The Mandelbrot set as DESIGN section 8 defines it, in plain double-precision C++: what the kernels must agree with.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

namespace orrery::oracle {

struct MandelbrotPicture {
  double re = -0.651155, im = 0, span = 3;
  int width = 96, height = 54;
  std::uint32_t limit = 100;
  double radius = 100;
};

struct MandelbrotPoint {
  bool interior = true;
  std::uint32_t n = 0;
  double nu = -1;
};

inline MandelbrotPoint mandelbrot_point(double cx, double cy, std::uint32_t limit, double radius) {
  double x = 0, y = 0;
  for (std::uint32_t n = 0; n < limit; ++n) {
    const double modulus = std::hypot(x, y);
    if (modulus > radius) return {false, n, n + 1 - std::log2(std::log(modulus) / std::log(radius))};
    const double next = x * x - y * y + cx;
    y = 2 * x * y + cy;
    x = next;
  }
  return {};
}

inline std::vector<MandelbrotPoint> mandelbrot_picture(const MandelbrotPicture& p) {
  std::vector<MandelbrotPoint> points;
  for (int j = 0; j < p.height; ++j)
    for (int i = 0; i < p.width; ++i) {
      const double cx = p.re + p.span / p.width * (i + 0.5 - 0.5 * p.width);
      const double cy = p.im + p.span / p.width * (0.5 * p.height - j - 0.5);
      points.push_back(mandelbrot_point(cx, cy, p.limit, p.radius));
    }
  return points;
}

}  // namespace orrery::oracle
