/// The renormalisation ladders, as polynomials that a device evaluates: at the Feigenbaum point c∞, at the cusp 1/4,
/// and in the valley at −3/4 between the cardioid and the disc of period 2.
///
/// With f(z) = z² + c, Λ_0 = c∞, Λ_{j+1} = μ·Λ_j, μ = −1/α and w = (c − c∞)·δ^j, level j of the ladder is
///   g_j(x, w) = f^{2^j}(Λ_j·x) / Λ_j,     g_0 = 1 + c∞·x² + w/c∞,
///   g_{j+1}(x, w) = g_j(g_j(μ·x, w/δ), w/δ) / μ.
/// A step of it is 2^j iterations. Within |x| ≤ 1 and |w| ≤ 0.7 no skipped iterate leaves |z| < 2, so that no escape is
/// skipped. The levels approach the fixed point of Feigenbaum and Cvitanović as δ^−j, which stands for all levels
/// beyond the last of the table.
///
/// At the cusp, with z = 1/2 + y, the map is y -> y + y² + c − 1/4: the passage between the two fixed points that
/// separate there takes π/√(c − 1/4) iterations. Twice the map in the valley, with z = −1/2 + y and ε = c + 3/4, is
/// y -> y − 2y³ − 2εy + …, where the passage takes π/|ε| iterations. Both have the same recursion, with Λ_j = Λ_0·μ^j
/// and
///   cusp:    g_0 = x + Λ_0·x² + w,     w = (c − 1/4)·4^j / Λ_0,   μ = 1/2,   δ = 4,
///   valley:  g_0 = −x + Λ_0·x² + w,    w = (c + 3/4)·2^j / Λ_0,   μ = √1/2,  δ = 2.
/// Their levels approach the flow of a vector field, as μ^j, and Λ_0 is a part of the distance to its pole.
///
/// Sources: M. J. Feigenbaum, J. Stat. Phys. 19 (1978) 25; P. Cvitanović, "Universality in Chaos" (1989), part 1;
/// O. E. Lanford, Bull. AMS 6 (1982) 427; A. Douady, "Does a Julia set depend continuously on the polynomial?", Proc.
/// Symp. Appl. Math. 49 (1994) 91, for the passage.
#pragma once

#include <array>
#include <vector>

#include "scenes/mandelbrot/numbers/big_float.hpp"

namespace orrery::mandelbrot {

/// An unevaluated sum of two doubles, about 31 digits.
struct Pair {
  double high = 0;
  double low = 0;
  friend bool operator==(const Pair&, const Pair&) = default;
};
Pair pair_of(const BigFloat& number);

/// The point at which a ladder renormalises.
enum class LadderPoint { feigenbaum, cusp, valley };
inline constexpr int ladder_points = 3;
/// True for a point that slows down passing orbits, all of which return to level 0.
constexpr bool has_passage(LadderPoint point) { return point != LadderPoint::feigenbaum; }

/// The numbers of a ladder, as defined at LadderTable.
struct LadderScales {
  BigFloat point, mu, delta, lambda;  ///< c∞, 1/4 or −3/4; μ; δ; Λ_0
};
LadderScales ladder_scales(LadderPoint point, mpfr_prec_t bits);

/// The radius of the steps in w.
constexpr double ladder_radius_of(LadderPoint point) {
  return point == LadderPoint::feigenbaum ? 0.7 : point == LadderPoint::cusp ? 0.0625 : 0.15;
}
/// The point that orbits pass by where there is a passage: x is 0 there.
constexpr double fixed_point_of(LadderPoint point) { return point == LadderPoint::cusp ? 0.5 : -0.5; }

/// c∞ to 160 digits, δ and α to 60, rounded to `bits`.
BigFloat feigenbaum_point(mpfr_prec_t bits);
BigFloat feigenbaum_delta(mpfr_prec_t bits);
BigFloat feigenbaum_alpha(mpfr_prec_t bits);
/// The error of c∞ as known here.
inline constexpr double feigenbaum_point_error = 1e-158;

/// The multiplier of the cycle of period 2 of a level's map, as a polynomial in w − center: where it is within the unit
/// circle, c is in the disc of period 2^(j+1) of the set's cascade; on the real axis 0.155 < w < 0.72.
struct CascadeDisc {
  static constexpr std::size_t terms = 12;
  static constexpr double center = 0.43;
  std::array<double, terms> coefficients{};
};

/// Immutable once made; any thread.
class LadderTable {
 public:
  struct Extent {
    int levels = 0;  ///< 0 … levels − 1
    int orders = 0;  ///< powers of w
    int terms = 0;   ///< powers of x², or of x where there is a passage
    int bits = 0;    ///< of the arithmetic that finds them
  };
  /// For steps that are right to doubles, or to pairs of doubles.
  static constexpr Extent for_doubles{26, 16, 24, 192};
  static constexpr Extent for_pairs{36, 26, 38, 384};
  /// The same where there is a passage: each level counts.
  static constexpr Extent passage_for_doubles{54, 11, 34, 256}, passage_for_pairs{54, 19, 66, 320};

  /// Takes a tenth of a second of a core for doubles, and half a second to a second for pairs.
  explicit LadderTable(const Extent& extent, LadderPoint point = LadderPoint::feigenbaum);

  LadderPoint point() const { return point_; }
  const Extent& extent() const { return extent_; }
  /// The coefficient of x^(2·term)·w^order, or x^term·w^order where there is a passage; the last level stands for all
  /// beyond.
  const Pair& at(int level, int order, int term) const {
    const int row = std::min(level, extent_.levels - 1), index = (row * extent_.orders + order) * extent_.terms + term;
    return coefficients_[static_cast<std::size_t>(index)];
  }
  /// g of a level at a real w, as a polynomial in x² (in x where there is a passage), by rising powers.
  std::vector<BigFloat> map_at(int level, const BigFloat& w) const;
  /// From level 1 on; for c∞ only.
  const CascadeDisc& disc(int level) const {
    return discs_[static_cast<std::size_t>(std::min(level, extent_.levels - 1))];
  }

 private:
  LadderPoint point_;
  Extent extent_;
  std::vector<Pair> coefficients_;
  std::vector<CascadeDisc> discs_;
};

/// Horner's rule; `terms` by rising powers of u.
BigFloat polynomial(const std::vector<BigFloat>& terms, const BigFloat& u);

}  // namespace orrery::mandelbrot
