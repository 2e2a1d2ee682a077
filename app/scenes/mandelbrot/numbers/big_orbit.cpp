#include "scenes/mandelbrot/numbers/big_orbit.hpp"

#include <bit>
#include <optional>

namespace orrery::mandelbrot {
namespace {

BigFloat big(double mantissa, std::int64_t exponent, mpfr_prec_t bits) {
  BigFloat number(bits, mantissa);
  if (mantissa != 0) mpfr_mul_2si(number.raw(), number.raw(), static_cast<long>(exponent), MPFR_RNDN);
  return number;
}

}  // namespace

FloatExp float_exp(const BigFloat& number) {
  long exponent = 0;
  const double mantissa = mpfr_get_d_2exp(&exponent, number.raw(), MPFR_RNDN);
  return FloatExp(mantissa, exponent);
}

FloatExpComplex difference(const BigComplex& a, const BigComplex& b) {
  return {float_exp(a.re - b.re), float_exp(a.im - b.im)};
}

BigComplex moved(const BigComplex& a, const FloatExpComplex& b) {
  return {a.re + big(b.re(), b.exponent(), a.bits()), a.im + big(b.im(), b.exponent(), a.bits())};
}

BigOrbit::BigOrbit(Formula formula, const BigComplex& c)
    : BigOrbit(formula, c, {BigFloat(c.bits()), BigFloat(c.bits())}) {}

BigOrbit::BigOrbit(Formula formula, const BigComplex& c, const BigComplex& z)
    : formula_(formula), c_(c), z_(z), x2_(c.bits()), y2_(c.bits()) {}

void BigOrbit::square() {
  mpfr_ptr x = z_.re.raw(), y = z_.im.raw(), x2 = x2_.raw(), y2 = y2_.raw();
  mpfr_sqr(x2, x, MPFR_RNDN);
  mpfr_sqr(y2, y, MPFR_RNDN);
  mpfr_mul(y, x, y, MPFR_RNDN);
  mpfr_mul_2ui(y, y, 1, MPFR_RNDN);
  mpfr_sub(x, x2, y2, MPFR_RNDN);
}

void BigOrbit::multiply(const BigComplex& factor) {
  mpfr_ptr x = z_.re.raw(), y = z_.im.raw(), next_x = x2_.raw();
  mpfr_fmms(next_x, x, factor.re.raw(), y, factor.im.raw(), MPFR_RNDN);
  mpfr_fmma(y, x, factor.im.raw(), y, factor.re.raw(), MPFR_RNDN);
  mpfr_swap(x, next_x);
}

void BigOrbit::step() {
  // Square-and-multiply, from the power's highest bit down.
  const auto power = static_cast<unsigned>(formula_.power);
  const std::optional<BigComplex> base = formula_.quadratic() ? std::nullopt : std::optional(z_);
  for (unsigned bit = std::bit_floor(power) >> 1U; bit != 0; bit >>= 1U) {
    square();
    if ((power & bit) != 0) multiply(*base);
  }
  mpfr_add(z_.re.raw(), z_.re.raw(), c_.re.raw(), MPFR_RNDN);
  mpfr_add(z_.im.raw(), z_.im.raw(), c_.im.raw(), MPFR_RNDN);
}

}  // namespace orrery::mandelbrot
