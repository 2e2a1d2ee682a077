/// The ladder's polynomials against plain iteration in 300 bits, and its discs against known bifurcations.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <utility>

#include "scenes/mandelbrot/deep/ladder.hpp"

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

// A wrong digit of c∞ grows by δ per level: from the level that shows it, the levels would no longer converge.
TEST(MandelbrotLadderTable, ApproachesItsFixedPoint) {
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
  constexpr double radius = ladder_radius_of(LadderPoint::feigenbaum);
  double largest = 0;
  for (int level = 1; level <= 6; ++level)
    for (int i = 0; i < 48; ++i)
      for (int k = 0; k < 24; ++k) {
        const double a = 0.13 + i * 0.1309, b = k * 0.2618;
        (void)iterated(level, big(std::cos(a), std::sin(a)), big(radius * std::cos(b), radius * std::sin(b)), &largest);
      }
  EXPECT_LT(largest, 2);
}

// ---- lost digits: the stages of ladder_shift()

using Complex = std::complex<double>;

// The step of kernels/mandelbrot/mandelbrot_ladder.cl in doubles.
Complex step_in_doubles(const LadderTable& table, int level, Complex x, Complex w) {
  const double re = x.real() * x.real() - x.imag() * x.imag(), im = (x.real() + x.real()) * x.imag();
  const double twice = re + re, norm = re * re + im * im;
  Complex value = 0;
  for (int n = table.extent().orders; n-- > 0;) {
    double b1 = 0, b2 = 0;
    for (int m = table.extent().terms - 1; m >= 1; --m) {
      const double b = std::fma(twice, b1, std::fma(-norm, b2, table.at(level, n, m).high));
      b2 = std::exchange(b1, b);
    }
    const Complex row{std::fma(re, b1, std::fma(-norm, b2, table.at(level, n, 0).high)), im * b1};
    value =
        Complex{value.real() * w.real() - value.imag() * w.imag(), value.real() * w.imag() + value.imag() * w.real()} +
        row;
  }
  return value;
}

// Stage 2, in doubles: pairs have the same recurrences.
TEST(MandelbrotLadderTable, AStepLosesNoMoreThanTheStepError) {
  double worst = 0;
  for (const int level : {0, 1, 2, 5, 9, 20, 30})
    for (int k = 0; k < 60; ++k) {
      const Complex x = std::polar(k % 4 == 0 ? 1.0 : 0.25 * (k % 4), 0.37 * k),
                    w = std::polar(k % 3 == 0 ? 0.7 : 0.2, 1.1 * k);
      const Complex rounded = step_in_doubles(doubles(), level, x, w);
      const BigComplex exact = from_table(pairs(), level, big(x.real(), x.imag()), big(w.real(), w.imag()));
      worst = std::max(worst, distance(exact, big(rounded.real(), rounded.imag())));
    }
  EXPECT_LT(worst, 0.5 * ladder_step_error(LadderNumbers::doubles)) << "no room for w and for the change of level";
  EXPECT_GT(worst, ladder_step_error(LadderNumbers::doubles) / 256) << "the bound says nothing";
}

// Stages 3 and 4: the effect of a pixel's w on x in the first step and after each passage through 0.
TEST(MandelbrotLadderTable, AStepAtZeroDistinguishesPixels) {
  for (int level = 0; level < 30; ++level)
    for (int k = 0; k < 24; ++k) {
      const Complex w = std::polar(k < 12 ? 0.7 : 0.3, 0.5236 * k), beside = w + 1e-6;
      const double slope =
          std::abs(step_in_doubles(doubles(), level, 0, beside) - step_in_doubles(doubles(), level, 0, w));
      EXPECT_GT(slope / 1e-6, 0.25) << level << " " << w;
      EXPECT_LT(slope / 1e-6, 4) << level << " " << w;
    }
}

TEST(MandelbrotLadderTable, TheCurvatureBoundsTheSecondDerivative) {
  double largest = 0;
  const double h = 1e-4, reach = 1 + ladder_margin;
  for (int level = 0; level < 30; ++level)
    for (int k = 0; k < 200; ++k) {
      const Complex x = std::polar(k % 3 == 0 ? 0.5 : reach, 0.29 * k),
                    w = std::polar(k % 5 == 0 ? 0.0 : 0.7, 0.83 * k);
      const auto g = [&](Complex at) { return step_in_doubles(doubles(), level, at, w); };
      largest = std::max(largest, std::abs(g(x + h) - 2.0 * g(x) + g(x - h)) / (h * h));
    }
  EXPECT_LT(largest, ladder_curvature());
  EXPECT_GT(largest, 0.1 * ladder_curvature());
}

TEST(MandelbrotLadderTable, LostDigitsAreCountedInPixels) {
  const auto shift = [](const char* span, LadderNumbers numbers) {
    const View view{Decimal::parse("-1.40115518", "re"), Decimal(0.0), Decimal::parse(span, "span")};
    const auto place = ladder_place(view, {1000, 1000});
    return place ? ladder_shift(*place, numbers) : -1;
  };
  EXPECT_NEAR(shift("1e-20", LadderNumbers::doubles) / shift("1e-18", LadderNumbers::doubles), 100, 1e-6);
  EXPECT_LT(shift("1e-12", LadderNumbers::doubles), 1e-2);
  EXPECT_GT(shift("1e-25", LadderNumbers::doubles), 1);
  EXPECT_LT(shift("1e-25", LadderNumbers::double_pairs), 1e-6);
  EXPECT_GT(shift("1e-40", LadderNumbers::double_pairs), 1);
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
