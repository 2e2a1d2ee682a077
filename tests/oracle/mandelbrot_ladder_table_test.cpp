/// The ladder's polynomials against plain iteration in 300 bits, and its discs against known bifurcations.
#include <gtest/gtest.h>

#include <cmath>

#include "model/mandelbrot/ladder_table.hpp"

namespace orrery::mandelbrot {
namespace {

constexpr mpfr_prec_t bits = 300;

struct BigComplex {
  BigFloat re, im;
};
BigComplex operator+(const BigComplex& a, const BigComplex& b) { return {a.re + b.re, a.im + b.im}; }
BigComplex operator*(const BigComplex& a, const BigComplex& b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
BigComplex operator*(const BigComplex& a, const BigFloat& b) { return {a.re * b, a.im * b}; }
BigComplex big(double re, double im) { return {BigFloat(bits, re), BigFloat(bits, im)}; }

BigFloat scale_of(int level) {
  return feigenbaum_point(bits) * power(BigFloat(bits, -1.0) / feigenbaum_alpha(bits), level);
}

/// f^{2^level}(Λ·x)/Λ, iterated; the largest |z| on the way goes to `largest`.
BigComplex iterated(int level, const BigComplex& x, const BigComplex& w, double* largest = nullptr) {
  const BigFloat scale = scale_of(level);
  const BigComplex c = BigComplex{feigenbaum_point(bits), BigFloat(bits)} + w * power(feigenbaum_delta(bits), -level);
  BigComplex z = x * scale;
  for (long i = 0; i < 1L << level; ++i) {
    z = z * z + c;
    if (largest != nullptr) *largest = std::max(*largest, std::hypot(z.re.value(), z.im.value()));
  }
  return z * (BigFloat(bits, 1.0) / scale);
}

BigComplex from_table(const LadderTable& table, int level, const BigComplex& x, const BigComplex& w) {
  const BigComplex square = x * x;
  BigComplex sum = big(0, 0);
  for (int m = table.extent().terms; m-- > 0;) {
    BigComplex row = big(0, 0);
    for (int n = table.extent().orders; n-- > 0;) {
      const Pair& coefficient = table.at(level, n, m);
      row = row * w + big(coefficient.high, 0) + big(coefficient.low, 0);
    }
    sum = sum * square + row;
  }
  return sum;
}

double distance(const BigComplex& a, const BigComplex& b) {
  return std::hypot((a.re - b.re).value(), (a.im - b.im).value());
}

struct Sample {
  double x_angle, w_angle, x_radius, w_radius;
};
const std::vector<Sample> samples{
    {0, 0, 0, 0.7},       {0.3, 2.0, 1, 0.7},    {1.1, -0.4, 1, 0.7}, {1.57079632679, 0, 1, 0.7},
    {0, 3.14159, 1, 0.7}, {-0.9, 1.3, 0.6, 0.3}, {0, 0.7, 1, 0.01},   {2.5, 1.0, 0.9, 0}};

double worst_error(const LadderTable& table, int level) {
  double worst = 0;
  for (const Sample& s : samples) {
    const BigComplex x = big(s.x_radius * std::cos(s.x_angle), s.x_radius * std::sin(s.x_angle));
    const BigComplex w = big(s.w_radius * std::cos(s.w_angle), s.w_radius * std::sin(s.w_angle));
    worst = std::max(worst, distance(from_table(table, level, x, w), iterated(level, x, w)));
  }
  return worst;
}

const LadderTable& doubles() {
  static const LadderTable table(LadderTable::for_doubles);
  return table;
}
const LadderTable& pairs() {
  static const LadderTable table(LadderTable::for_pairs);
  return table;
}

TEST(MandelbrotLadderTable, IsThePlainIterationInDoubles) {
  for (const int level : {0, 1, 2, 3, 5, 8, 12}) EXPECT_LT(worst_error(doubles(), level), 1e-16) << "level " << level;
}

TEST(MandelbrotLadderTable, IsThePlainIterationInPairs) {
  for (const int level : {0, 1, 2, 3, 5, 8, 12}) EXPECT_LT(worst_error(pairs(), level), 4e-31) << "level " << level;
}

// A wrong digit of c∞ grows by δ a level: the levels would come no closer to each other beyond the one that shows it.
TEST(MandelbrotLadderTable, ApproachesItsFixedPointAsItShould) {
  const double delta = feigenbaum_delta(bits).value();
  const auto change = [](int level) {
    double largest = 0;
    for (int n = 0; n < pairs().extent().orders; ++n)
      for (int m = 0; m < pairs().extent().terms; ++m) {
        const Pair &now = pairs().at(level, n, m), &before = pairs().at(level - 1, n, m);
        largest = std::max(largest, std::abs((now.high - before.high) + (now.low - before.low)));
      }
    return largest;
  };
  for (int level = 20; level < pairs().extent().levels; ++level)
    EXPECT_NEAR(change(level - 1) / change(level), delta, 0.1) << "level " << level;
  const double stand_in = change(doubles().extent().levels - 1) / (1 - 1 / delta);
  EXPECT_LT(stand_in, 1e-16) << "the last level for doubles is not good enough for those beyond";
}

TEST(MandelbrotLadderTable, NoIterateThatAStepPassesOverIsNearItsEscape) {
  double largest = 0;
  for (int level = 1; level <= 6; ++level)
    for (int i = 0; i < 48; ++i)
      for (int k = 0; k < 24; ++k) {
        const double a = 0.13 + i * 0.1309, b = k * 0.2618;
        (void)iterated(level, big(std::cos(a), std::sin(a)),
                       big(ladder_radius * std::cos(b), ladder_radius * std::sin(b)), &largest);
      }
  EXPECT_LT(largest, 2);
}

// The period doubles at c = −5/4 from 2 to 4 and at −1.368098939… from 4 to 8 (a root of the polynomial of the cycle of
// period 4 with multiplier −1; Stephenson, Physica A 177 (1991) 416): there the multipliers of the cycle of period 4
// are 1 and −1. It is the cycle of period 2 of level 1.
TEST(MandelbrotLadderTable, DiscsEndWhereThePeriodDoubles) {
  const auto multiplier = [](double c) {
    const double w = (c - feigenbaum_point(bits).value()) * feigenbaum_delta(bits).value();
    double sum = 0;
    for (std::size_t i = CascadeDisc::terms; i-- > 0;)
      sum = sum * (w - CascadeDisc::center) + doubles().disc(1).coefficients[i];
    return sum;
  };
  EXPECT_NEAR(multiplier(-1.25), 1, 1e-6);
  EXPECT_NEAR(multiplier(-1.3680989393), -1, 1e-8);
  EXPECT_NEAR(multiplier(-1.3107026413368328), 0, 1e-9) << "z4 = 0";
}

}  // namespace
}  // namespace orrery::mandelbrot
