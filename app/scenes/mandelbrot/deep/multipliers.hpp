/// Multipliers of the cycles beside a parabolic point c_0 (parabolic.hpp), as functions of ε = c − c_0.
///
/// With q > 1 the multiplier λ of the cycle of period p is an analytic function of ε near 0, and so is that of the
/// cycle of period pq which parts from it. With q = 1 two cycles of period p part, and both multipliers are one
/// function of ±√ε. Where one of them has |λ| < 1, its cycle attracts, and c belongs to the set (Fatou): no orbit has
/// to be followed.
///
/// Source: J. Milnor, "Dynamics in One Complex Variable", § 8 and § 10; Taylor coefficients are sums over a circle
/// around 0, on which the cycles are found by Newton's method.
#pragma once

#include <complex>
#include <cstddef>
#include <vector>

namespace orrery::mandelbrot {

struct ParabolicPoint;

/// Plain values; any thread.
class CycleMultipliers {
 public:
  using Number = std::complex<double>;
  static constexpr std::size_t terms = 32;  ///< MULTIPLIER_TERMS of mandelbrot_parabolic.clh

  /// `bend` and `by_c`: of f^(pq) beside the cycle, a and b of parabolic.hpp. Takes some milliseconds, and a second at
  /// most where pq is large.
  CycleMultipliers(const ParabolicPoint& point, Number bend, Number by_c);

  /// The coefficients below serve |ε| up to this; 0: nowhere.
  double reach() const { return reach_; }
  /// λ/λ(0) − 1 by powers of s from s¹ on, s = ε/reach or, with q = 1, √(ε/reach): first for the one cycle, then for
  /// the cycle that parts from it.
  const std::vector<Number>& coefficients() const { return coefficients_; }

 private:
  double reach_ = 0;
  std::vector<Number> coefficients_ = std::vector<Number>(2 * terms);
};

}  // namespace orrery::mandelbrot
