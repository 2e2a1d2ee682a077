#include "scenes/mandelbrot/deep/ladder_table.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "base/platform/parallel.hpp"

namespace orrery::mandelbrot {
namespace {

// ---- the table

using Series = std::vector<BigFloat>;  // in w, cut after some order

Series zeros(std::size_t count, mpfr_prec_t bits) { return Series(count, BigFloat(bits)); }

// to = a·b + c, cut after `orders` orders
void multiply_add(Series& to, const Series& a, const Series& b, const Series& c, std::size_t orders) {
  for (std::size_t n = 0; n < orders; ++n) {
    to[n] = c[n];
    for (std::size_t k = 0; k <= n; ++k) to[n].add_product(a[k], b[n - k]);
  }
}

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
        mu_(scales_.mu) {
    const BigFloat shrink = BigFloat(bits_, 1.0) / scales_.delta;
    for (std::size_t n = 0; n < orders_; ++n) shrinks_.push_back(power(shrink, static_cast<long>(n)));
    place_points();
    find_basis();
  }

  std::vector<Series> first() const {
    std::vector<Series> rows(terms_, zeros(orders_, bits_));
    if (even_) {
      rows[0][0] = BigFloat(bits_, 1.0);
      rows[1][0] = scales_.point;
      rows[0][1] = BigFloat(bits_, 1.0) / scales_.point;
    } else {
      rows[1][0] = BigFloat(bits_, point_ == LadderPoint::cusp ? 1.0 : -1.0);
      rows[2][0] = scales_.lambda;
      rows[0][1] = BigFloat(bits_, 1.0);
    }
    return rows;
  }

  std::vector<Series> next(std::vector<Series> rows) const {
    for (Series& row : rows)
      for (std::size_t n = 0; n < orders_; ++n) row[n] *= shrinks_[n];  // now in powers of w/δ
    std::vector<Series> values(terms_), result(terms_, zeros(orders_, bits_));
    in_parallel(terms_, [&](std::size_t begin, std::size_t end) {
      for (std::size_t k = begin; k < end; ++k)
        values[k] = composed_at(rows, even_ ? points_[k] * mu_ * mu_ : points_[k] * mu_);
    });
    in_parallel(terms_, [&](std::size_t begin, std::size_t end) {
      for (std::size_t m = begin; m < end; ++m)
        for (std::size_t k = 0; k < terms_; ++k)
          for (std::size_t n = 0; n < orders_; ++n) result[m][n].add_product(basis_[k][m], values[k][n]);
    });
    if (!even_) keep_tangency(result);
    return result;
  }

 private:
  // Sets the coefficients that are known: an error of these would grow from level to level, or stay.
  void keep_tangency(std::vector<Series>& rows) const {
    const BigFloat zero(bits_), &lambda = scales_.lambda;
    rows[0][0] = zero;
    rows[1][0] = BigFloat(bits_, 1.0);
    if (point_ == LadderPoint::cusp) {
      rows[2][0] = lambda;
    } else {
      rows[2][0] = rows[0][1] = zero;
      rows[3][0] = zero - lambda * lambda;
      rows[1][1] = zero - lambda;
    }
  }

  // The orders that count for the terms from `term` on: with a passage, coefficients fall with both.
  std::size_t orders_from(std::size_t term) const {
    constexpr std::size_t spare = 2;
    return even_ ? orders_ : std::min(orders_, orders_ * (terms_ - term) / terms_ + spare);
  }

  void place_points() {
    for (std::size_t k = 0; k < terms_; ++k) {
      const double angle = std::numbers::pi * (static_cast<double>(k) + 0.5) / static_cast<double>(terms_);
      points_.emplace_back(bits_, even_ ? 0.5 + 0.5 * std::cos(angle) : std::cos(angle));
    }
  }

  // basis_[k]: the coefficients of the polynomial that is 1 at point k and 0 at the others.
  void find_basis() {
    std::vector<BigFloat> product{BigFloat(bits_, 1.0)};
    for (const BigFloat& point : points_) {
      product.push_back(BigFloat(bits_, 1.0));
      for (std::size_t m = product.size() - 1; m-- > 0;)
        product[m] = (m > 0 ? product[m - 1] : BigFloat(bits_)) - point * product[m];
    }
    for (const BigFloat& point : points_) {
      std::vector<BigFloat> quotient(terms_, BigFloat(bits_));
      BigFloat carry(bits_), value(bits_);
      for (std::size_t m = terms_; m-- > 0;) quotient[m] = carry = product[m + 1] + point * carry;
      for (std::size_t m = terms_; m-- > 0;) value = quotient[m] + point * value;
      for (BigFloat& coefficient : quotient) coefficient = coefficient / value;
      basis_.push_back(std::move(quotient));
    }
  }

  // g(g(x, v), v)/μ at that u.
  Series composed_at(const std::vector<Series>& rows, const BigFloat& u) const {
    Series inner = zeros(orders_, bits_);
    for (std::size_t m = terms_; m-- > 0;)
      for (std::size_t n = 0; n < orders_; ++n) inner[n] = inner[n] * u + rows[m][n];
    Series squared = zeros(orders_, bits_), value = rows[terms_ - 1], above = value;
    if (even_) multiply_add(squared, inner, inner, zeros(orders_, bits_), orders_);
    const Series& next_u = even_ ? squared : inner;
    for (std::size_t m = terms_ - 1; m-- > 0;) {
      std::swap(value, above);
      multiply_add(value, above, next_u, rows[m], orders_from(m));
    }
    for (BigFloat& coefficient : value) coefficient = coefficient / mu_;
    return value;
  }

  LadderPoint point_;
  bool even_;
  std::size_t terms_, orders_;
  mpfr_prec_t bits_;
  LadderScales scales_;
  BigFloat mu_;
  Series shrinks_, points_;
  std::vector<Series> basis_;
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
        coefficients_.push_back(pair_of(rows[static_cast<std::size_t>(m)][static_cast<std::size_t>(n)]));
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
