/// Parabolic points, where a cycle of period p has the multiplier e^(2πi r/q): the cusps of the set and of its copies
/// (q = 1), and the roots at which one component is attached to another (q > 1).
///
/// Beside such a point c_0, f^(pq) is close to the identity near the cycle: with y the distance from a point of the
/// cycle and ε = c − c_0, it is
///   y + a·y² + b·ε + …  (q = 1),        y + a·y^(q+1) + κ·ε·y + …  (q > 1),
/// and the passage between the fixed points that separate there takes π/√(a·b·ε) or 2π/|q·κ·ε| times pq iterations.
/// The map is renormalised as at 1/4 and −3/4 (ladder_table.hpp): with Λ_j = Λ_0·μ^j, μ = 2^(−1/q),
///   g_j(x, w) = f^(pq·2^j)(Λ_j·x) / Λ_j,   w = ε·δ^j / W,   δ = 4 (q = 1) or 2 (q > 1),
///   g_{j+1}(x, w) = g_j(g_j(μ·x, w/δ), w/δ) / μ,
/// and a step of it, where |x| ≤ 1 and |w| ≤ 1, is pq·2^j iterations.
///
/// Sources: J. Milnor, "Dynamics in One Complex Variable", § 10; A. Douady, "Does a Julia set depend continuously on
/// the polynomial?", Proc. Symp. Appl. Math. 49 (1994) 91, for the passage.
#pragma once

#include <complex>
#include <cstdint>
#include <optional>
#include <vector>

#include "scenes/mandelbrot/deep/multipliers.hpp"
#include "scenes/mandelbrot/numbers/big_orbit.hpp"
#include "scenes/mandelbrot/numbers/view.hpp"

namespace orrery::mandelbrot {

struct ParabolicPoint {
  std::size_t period = 0;  ///< p
  int turns = 0;           ///< q
  BigComplex c;            ///< c_0
  BigComplex z;            ///< the point of the cycle that is nearest to 0, in a small copy
  bool operator==(const ParabolicPoint&) const = default;

  std::size_t iterations() const { return period * static_cast<std::size_t>(turns); }
};

/// The p points of the cycle, the one beside 0 first, from an orbit in many bits.
std::vector<std::complex<double>> cycle_of(const ParabolicPoint& point);

/// The purpose of passages: a table of their steps where perturbation is used anyway, or perturbation in place of
/// direct iteration in doubles.
enum class PassagesWorth { table, leaving_doubles };

/// The point whose passages make a picture's orbits long enough to be worth that. Nothing where the picture's centre
/// escapes soon, or where its pixels are so close together, for their distance from the point, that doubles do not
/// distinguish the lengths of their passages. Takes some milliseconds at most.
std::optional<ParabolicPoint> parabolic_near(const View& view, Size size, PassagesWorth worth = PassagesWorth::table);

/// Immutable once made; any thread.
class PassageTable {
 public:
  using Number = std::complex<double>;

  /// Takes up to half a second where q is large, and another second where pq is.
  explicit PassageTable(const ParabolicPoint& point);

  int levels() const { return levels_; }
  int orders() const { return static_cast<int>(terms_.size()); }  ///< powers of w
  int most_terms() const { return most_terms_; }                  ///< powers of x
  int terms(int order) const { return terms_[static_cast<std::size_t>(order)]; }
  /// The coefficients of w^n have a sum of at most 2^(−n·bits), in each level.
  std::uint32_t bits_of_order() const { return bits_of_order_; }
  double radius() const { return radius_; }  ///< Λ_0
  double reach() const { return reach_; }    ///< W
  double mu() const { return mu_; }
  double delta() const { return delta_; }
  /// By level, order and term.
  const std::vector<Number>& coefficients() const { return coefficients_; }
  const CycleMultipliers& multipliers() const { return multipliers_; }
  /// g_level(x, w).
  Number step(int level, Number x, Number w) const;

 private:
  struct Shape;
  PassageTable(const ParabolicPoint& point, Shape shape);
  bool make(const ParabolicPoint& point, const Shape& shape);

  int levels_ = 0, most_terms_ = 0;
  std::uint32_t bits_of_order_ = 0;
  std::vector<int> terms_;
  double radius_ = 0, reach_ = 0, mu_ = 0, delta_ = 0;
  std::vector<Number> coefficients_;
  CycleMultipliers multipliers_;
};

}  // namespace orrery::mandelbrot
