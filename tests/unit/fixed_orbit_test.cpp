// Orbits in fixed-point arithmetic against orbits in floating point with three times as many bits.
#include "scenes/mandelbrot/numbers/fixed_orbit.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace orrery::mandelbrot {
namespace {

BigComplex big(double re, double im, mpfr_prec_t bits) { return {BigFloat(bits, re), BigFloat(bits, im)}; }

// Values of c whose orbits stay for at least a few hundred steps: with an attracting cycle, a repelling one, and none.
const std::pair<double, double> places[] = {
    {-0.12, 0.74},  {0, 1}, {-2, 0}, {0.25, 0}, {-1.4011551890920506, 0}, {-0.7436438870371587, 0.1318259042053119},
    {1e-30, -1e-40}};

TEST(FixedOrbit, StaysWithinItsBoundOfTheExactOrbit) {
  for (const auto& [re, im] : places)
    for (const mpfr_prec_t bits : {64, 128, 130, 320, 1000}) {
      SCOPED_TRACE(std::to_string(re) + " " + std::to_string(im) + ", " + std::to_string(bits) + " bits");
      FixedOrbit orbit(big(re, im, bits));
      BigOrbit exact(Formula{}, big(re, im, 3 * bits + 600));
      FloatExp error;  // error bound
      for (int n = 0; n < 150 && error < FloatExp(1e-6); ++n) {
        const FloatExp size(std::hypot(exact.re(), exact.im()));
        error = error * (size + size + error) + FloatExp(8.0, -bits);
        orbit.step();
        exact.step();
        EXPECT_FALSE(error < difference(orbit.z(), exact.z()).abs()) << n;
        EXPECT_NEAR(orbit.re(), orbit.z().re.value(), 1e-15 * std::abs(orbit.re()));
        EXPECT_NEAR(orbit.im(), orbit.z().im.value(), 1e-15 * std::abs(orbit.im()));
      }
    }
}

TEST(FixedOrbit, ParabolicOrbitsOfManyStepsAgree) {
  const BigComplex c = big(0.25 + 1e-6, 1e-12, 256);
  FixedOrbit orbit(c);
  BigOrbit exact(Formula{}, c);
  int n = 0;
  for (; std::hypot(exact.re(), exact.im()) < 100 && n < 100000; ++n) orbit.step(), exact.step();
  EXPECT_NEAR(n, 3.14159 / std::sqrt(1e-6), 40);
  EXPECT_LT(difference(orbit.z(), exact.z()).abs().value(), 1e-50);
}

}  // namespace
}  // namespace orrery::mandelbrot
