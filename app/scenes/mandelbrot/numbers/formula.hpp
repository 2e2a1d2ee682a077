/// z → z^power + c, for all methods of computing a picture. The kernels' part is
/// kernels/mandelbrot/mandelbrot_formula.clh.
///
/// A plain value. Z is a real or complex number of any kind, constructible from a double by Z(x).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/parameter.hpp"

namespace orrery::mandelbrot {

struct Formula {
  std::int64_t power = 2;
  bool operator==(const Formula&) const = default;

  /// The discs with known formulas, the ladders and the passages exist for z² + c only.
  bool quadratic() const { return power == 2; }
  /// The real axis has a cascade, and an end of orbits on each side.
  bool even() const { return power % 2 == 0; }

  /// z^(power − 1)
  template <class Z>
  Z lower(const Z& z) const {
    Z result = z;
    for (std::int64_t k = 2; k < power; ++k) result = result * z;
    return result;
  }
  template <class Z>
  Z next(const Z& z, const Z& c) const {
    return lower(z) * z + c;
  }
  /// ∂z^power/∂z
  template <class Z>
  Z slope(const Z& z) const {
    return Z(static_cast<double>(power)) * lower(z);
  }
  /// (b^power − a^power)/(b − a), without cancellation.
  template <class Z>
  Z steepness(const Z& a, const Z& b) const {
    Z raised = a, sum = b + a;
    for (std::int64_t k = 2; k < power; ++k) {
      raised = raised * a;
      sum = sum * b + raised;
    }
    return sum;
  }

  /// n + 1 − log_power(ln|z| / ln R), where |z| > R for the first time after n steps; no less than 0.
  double smooth(double n, double ln_modulus, double radius) const {
    return std::max(0.0, n + 1 - std::log2(ln_modulus / std::log(radius)) / std::log2(static_cast<double>(power)));
  }

  /// The set of an even power has the part [−2^(1/(d − 1)), (d − 1)/d^(d/(d − 1))] of the real axis; the numbers may be
  /// some units in the last place nearer to 0.
  std::pair<double, double> axis() const {
    const auto d = static_cast<double>(power);
    const double less = quadratic() ? 1 : 1 - 0x1p-50;
    return {-less * std::exp2(1 / (d - 1)), less * (d - 1) * std::pow(d, -d / (d - 1))};
  }
};

/// power
inline std::vector<Parameter> parameters(Formula& formula) {
  return {{{.name = "power", .label = "Power", .help = "exponent d of z -> z^d + c", .minimum = 2, .maximum = 8},
           &formula.power}};
}

}  // namespace orrery::mandelbrot
