#include "scenes/mandelbrot/deep/ladder_table.hpp"

#include <gmp.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "base/platform/parallel.hpp"

namespace orrery::mandelbrot {
namespace {

// ---- the table

// A number in fixed point, which counts units of 2^-bits: twice as fast here as floating point, because small numbers,
// which only count in sums with large ones, have few digits.
class Fixed {
 public:
  Fixed() { mpz_init(value_); }
  Fixed(const BigFloat& number, mpfr_prec_t bits) {
    BigFloat scaled = number;
    mpfr_mul_2si(scaled.raw(), scaled.raw(), bits, MPFR_RNDN);
    mpz_init(value_);
    mpfr_get_z(value_, scaled.raw(), MPFR_RNDN);
  }
  Fixed(const Fixed& other) { mpz_init_set(value_, other.value_); }
  Fixed& operator=(const Fixed& other) { return mpz_set(value_, other.value_), *this; }
  ~Fixed() { mpz_clear(value_); }

  BigFloat number(mpfr_prec_t bits) const {
    BigFloat number(bits);
    mpfr_set_z_2exp(number.raw(), value_, -bits, MPFR_RNDN);
    return number;
  }

  void operator+=(const Fixed& other) { mpz_add(value_, value_, other.value_); }
  /// Products count units of 2^(-2·bits); scale_back() follows their sum.
  void add_product(const Fixed& a, const Fixed& b) { mpz_addmul(value_, a.value_, b.value_); }
  void scale_back(mpfr_prec_t bits) { mpz_fdiv_q_2exp(value_, value_, static_cast<mp_bitcnt_t>(bits)); }
  void multiply(const Fixed& factor, mpfr_prec_t bits) {
    mpz_mul(value_, value_, factor.value_);
    scale_back(bits);
  }
  void clear() { mpz_set_ui(value_, 0); }

 private:
  mpz_t value_;
};

using Series = std::vector<Fixed>;  // in w, cut after some order

// One level as rows by powers of u = x², or x where there is a passage, each a series in w; and the composition of the
// next one. Composition in powers of u would cost a product of polynomials for each of them: values at the Chebyshev
// points of 0 ≤ x² ≤ 1, or −1 ≤ x ≤ 1, are cheaper, and the polynomial through them is the next level.
class Composer {
 public:
  Composer(const LadderTable::Extent& extent, LadderPoint point)
      : point_(point),
        even_(!has_passage(point)),
        terms_(static_cast<std::size_t>(extent.terms)),
        orders_(static_cast<std::size_t>(extent.orders)),
        bits_(extent.bits),
        scales_(ladder_scales(point, bits_)),
        enlarge_(fixed(BigFloat(bits_, 1.0) / scales_.mu)) {
    const BigFloat shrink = BigFloat(bits_, 1.0) / scales_.delta;
    for (std::size_t n = 0; n < orders_; ++n) shrinks_.push_back(fixed(power(shrink, static_cast<long>(n))));
    place_points();
    find_basis();
  }

  std::vector<Series> first() const {
    std::vector<Series> rows(terms_, Series(orders_));
    if (even_) {
      rows[0][0] = fixed(1);
      rows[1][0] = fixed(scales_.point);
      rows[0][1] = fixed(BigFloat(bits_, 1.0) / scales_.point);
    } else {
      rows[1][0] = fixed(point_ == LadderPoint::cusp ? 1 : -1);
      rows[2][0] = fixed(scales_.lambda);
      rows[0][1] = fixed(1);
    }
    return rows;
  }

  std::vector<Series> next(std::vector<Series> rows) const {
    for (Series& row : rows)
      for (std::size_t n = 0; n < orders_; ++n) row[n].multiply(shrinks_[n], bits_);  // now in powers of w/δ
    std::vector<Series> values(terms_), result(terms_, Series(orders_));
    in_parallel(terms_, [&](std::size_t begin, std::size_t end) {
      for (std::size_t k = begin; k < end; ++k) values[k] = composed_at(rows, points_[k]);
    });
    in_parallel(terms_, [&](std::size_t begin, std::size_t end) {
      for (std::size_t m = begin; m < end; ++m)
        for (std::size_t n = 0; n < orders_; ++n) {
          for (std::size_t k = 0; k < terms_; ++k) result[m][n].add_product(basis_[k][m], values[k][n]);
          result[m][n].scale_back(bits_);
        }
    });
    if (!even_) keep_tangency(result);
    return result;
  }

  BigFloat number(const Fixed& value) const { return value.number(bits_); }

 private:
  Fixed fixed(const BigFloat& number) const { return {number, bits_}; }
  Fixed fixed(double number) const { return fixed(BigFloat(bits_, number)); }

  // Sets the coefficients that are known: an error of these would grow from level to level, or stay.
  void keep_tangency(std::vector<Series>& rows) const {
    const BigFloat zero(bits_), &lambda = scales_.lambda;
    rows[0][0].clear();
    rows[1][0] = fixed(1);
    if (point_ == LadderPoint::cusp) {
      rows[2][0] = fixed(lambda);
    } else {
      rows[2][0].clear();
      rows[0][1].clear();
      rows[3][0] = fixed(zero - lambda * lambda);
      rows[1][1] = fixed(zero - lambda);
    }
  }

  // The orders that count for the terms from `term` on, since coefficients fall with both. Fewer spare orders change
  // the table for pairs at c∞ by more than 1e-37.
  std::size_t orders_from(std::size_t term) const {
    const std::size_t spare = even_ ? 9 : 2;
    return std::min(orders_, orders_ * (terms_ - term) / terms_ + spare);
  }

  // points_: the values of u at μ·x, for x at the Chebyshev points.
  void place_points() {
    const BigFloat& mu = scales_.mu;
    for (std::size_t k = 0; k < terms_; ++k) points_.push_back(fixed(point(k) * (even_ ? mu * mu : mu)));
  }
  BigFloat point(std::size_t k) const {
    const double angle = std::numbers::pi * (static_cast<double>(k) + 0.5) / static_cast<double>(terms_);
    return {bits_, even_ ? 0.5 + 0.5 * std::cos(angle) : std::cos(angle)};
  }

  // basis_[k]: the coefficients of the polynomial that is 1 at point k and 0 at the others.
  void find_basis() {
    std::vector<BigFloat> product{BigFloat(bits_, 1.0)};
    for (std::size_t k = 0; k < terms_; ++k) {
      product.push_back(BigFloat(bits_, 1.0));
      for (std::size_t m = product.size() - 1; m-- > 0;)
        product[m] = (m > 0 ? product[m - 1] : BigFloat(bits_)) - point(k) * product[m];
    }
    for (std::size_t k = 0; k < terms_; ++k) {
      std::vector<BigFloat> quotient(terms_, BigFloat(bits_));
      BigFloat carry(bits_), value(bits_);
      for (std::size_t m = terms_; m-- > 0;) quotient[m] = carry = product[m + 1] + point(k) * carry;
      for (std::size_t m = terms_; m-- > 0;) value = quotient[m] + point(k) * value;
      for (const BigFloat& coefficient : quotient) basis_[k].push_back(fixed(coefficient / value));
    }
  }

  // g(g(x, v), v)/μ at that u.
  Series composed_at(const std::vector<Series>& rows, const Fixed& u) const {
    Series inner(orders_), squared(orders_), value = rows[terms_ - 1], above(orders_);
    for (std::size_t m = terms_; m-- > 0;)
      for (std::size_t n = 0; n < orders_; ++n) {
        inner[n].multiply(u, bits_);
        inner[n] += rows[m][n];
      }
    if (even_) multiply_add(squared, inner, inner, Series(orders_), orders_);
    const Series& next_u = even_ ? squared : inner;
    for (std::size_t m = terms_ - 1; m-- > 0;) {
      std::swap(value, above);
      multiply_add(value, above, next_u, rows[m], orders_from(m));
    }
    for (Fixed& coefficient : value) coefficient.multiply(enlarge_, bits_);
    return value;
  }

  // to = a·b + c, cut after `orders` orders
  void multiply_add(Series& to, const Series& a, const Series& b, const Series& c, std::size_t orders) const {
    for (std::size_t n = 0; n < orders; ++n) {
      to[n].clear();
      for (std::size_t k = 0; k <= n; ++k) to[n].add_product(a[k], b[n - k]);
      to[n].scale_back(bits_);
      to[n] += c[n];
    }
  }

  LadderPoint point_;
  bool even_;
  std::size_t terms_, orders_;
  mpfr_prec_t bits_;
  LadderScales scales_;
  Fixed enlarge_;  // 1/μ
  Series shrinks_, points_;
  std::vector<Series> basis_ = std::vector<Series>(terms_);
};

// ---- the discs of the cascade

using Complex128 = std::complex<double>;

// A level's map and its derivative in x, in doubles.
class LevelMap {
 public:
  LevelMap(const LadderTable& table, int level) : table_(table), level_(level) {}

  void set(Complex128 w) {
    const LadderTable::Extent& extent = table_.extent();
    rows_.assign(static_cast<std::size_t>(extent.terms), 0);
    for (int m = 0; m < extent.terms; ++m)
      for (int n = extent.orders; n-- > 0;)
        rows_[static_cast<std::size_t>(m)] = rows_[static_cast<std::size_t>(m)] * w + table_.at(level_, n, m).high;
  }

  struct Value {
    Complex128 g, slope;
  };
  Value operator()(Complex128 x) const {
    const Complex128 square = x * x;
    Complex128 g = 0, slope = 0;
    for (std::size_t m = rows_.size(); m-- > 0;) {
      slope = slope * square + g;
      g = g * square + rows_[m];
    }
    return {g, 2.0 * x * slope};
  }

 private:
  const LadderTable& table_;
  int level_;
  std::vector<Complex128> rows_;
};

// Newton's iteration for g(g(x)) = x from a point near the cycle; returns the multiplier.
Complex128 multiplier_near(const LevelMap& map, Complex128& x) {
  Complex128 multiplier = 0;
  for (int i = 0; i < 12; ++i) {
    const LevelMap::Value first = map(x), second = map(first.g);
    multiplier = first.slope * second.slope;
    x -= (second.g - x) / (multiplier - 1.0);
  }
  return multiplier;
}

// The multiplier on a circle around the center, to its Taylor coefficients: it is analytic well beyond the disc. The
// circle leaves out the disc's root, where Newton's iteration would find the fixed point that the cycle merges with.
CascadeDisc disc_of(const LadderTable& table, int level) {
  constexpr int points = 32, steps = 6;
  constexpr double radius = 0.2;
  LevelMap map(table, level);
  CascadeDisc disc;
  for (int k = 0; k < points; ++k) {
    const Complex128 direction = std::polar(1.0, 2 * std::numbers::pi * (k + 0.5) / points);
    Complex128 x = 0, multiplier = 0;
    for (int step = 1; step <= steps; ++step) {
      map.set(CascadeDisc::center + radius * step / steps * direction);
      multiplier = multiplier_near(map, x);
    }
    for (std::size_t m = 0; m < CascadeDisc::terms; ++m)
      disc.coefficients[m] += (multiplier * std::pow(std::conj(direction), static_cast<double>(m))).real() / points /
                              std::pow(radius, static_cast<double>(m));
  }
  return disc;
}

}  // namespace

Pair pair_of(const BigFloat& number) {
  const double high = number.value();
  return {high, (number - BigFloat(number.bits(), high)).value()};
}

// The table confirms these digits: it approaches a fixed point up to the level at which a wrong digit would show.
BigFloat feigenbaum_point(mpfr_prec_t bits) {
  return {bits,
          "-1.40115518909205060052382678789386129222630804339731960893726149667869555775352383883789811469641461386572"
          "1737740413243631271475824292805479169601235193718518"};
}
BigFloat feigenbaum_delta(mpfr_prec_t bits) {
  return {bits, "4.669201609102990671853203820466201617258185577475768632745651"};
}
BigFloat feigenbaum_alpha(mpfr_prec_t bits) {
  return {bits, "2.502907875095892822283902873218215786381271376727149977336192"};
}

LadderScales ladder_scales(LadderPoint point, mpfr_prec_t bits) {
  if (point == LadderPoint::cusp)
    return {BigFloat(bits, 0.25), BigFloat(bits, 0.5), BigFloat(bits, 4.0), BigFloat(bits, 0.25)};
  if (point == LadderPoint::valley) {
    BigFloat mu(bits, 0.5);
    mpfr_sqrt(mu.raw(), mu.raw(), MPFR_RNDN);
    return {BigFloat(bits, -0.75), mu, BigFloat(bits, 2.0), BigFloat(bits, 0.1875)};
  }
  return {feigenbaum_point(bits), BigFloat(bits, -1.0) / feigenbaum_alpha(bits), feigenbaum_delta(bits),
          feigenbaum_point(bits)};
}

LadderTable::LadderTable(const Extent& extent, LadderPoint point) : point_(point), extent_(extent) {
  const Composer composer(extent, point);
  std::vector<Series> rows = composer.first();
  for (int level = 0; level < extent.levels; ++level) {
    if (level > 0) rows = composer.next(std::move(rows));
    for (int n = 0; n < extent.orders; ++n)
      for (int m = 0; m < extent.terms; ++m)
        coefficients_.push_back(
            pair_of(composer.number(rows[static_cast<std::size_t>(m)][static_cast<std::size_t>(n)])));
  }
  if (has_passage(point)) return;
  for (int level = 0; level < extent.levels; ++level) discs_.push_back(disc_of(*this, std::max(level, 1)));
}

std::vector<BigFloat> LadderTable::map_at(int level, const BigFloat& w) const {
  std::vector<BigFloat> terms;
  for (int term = 0; term < extent_.terms; ++term) {
    BigFloat sum(w.bits());
    for (int order = extent_.orders; order-- > 0;) {
      const Pair& pair = at(level, order, term);
      sum = sum * w + BigFloat(w.bits(), pair.high) + BigFloat(w.bits(), pair.low);
    }
    terms.push_back(std::move(sum));
  }
  return terms;
}

BigFloat polynomial(const std::vector<BigFloat>& terms, const BigFloat& u) {
  BigFloat value(u.bits());
  for (std::size_t m = terms.size(); m-- > 0;) value = value * u + terms[m];
  return value;
}

}  // namespace orrery::mandelbrot
