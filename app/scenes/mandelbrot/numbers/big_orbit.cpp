#include "scenes/mandelbrot/numbers/big_orbit.hpp"

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

BigOrbit::BigOrbit(const BigComplex& c) : BigOrbit(c, {BigFloat(c.bits()), BigFloat(c.bits())}) {}

BigOrbit::BigOrbit(const BigComplex& c, const BigComplex& z) : c_(c), z_(z), x2_(c.bits()), y2_(c.bits()) {}

void BigOrbit::step() {
  mpfr_ptr x = z_.re.raw(), y = z_.im.raw(), x2 = x2_.raw(), y2 = y2_.raw();
  mpfr_sqr(x2, x, MPFR_RNDN);
  mpfr_sqr(y2, y, MPFR_RNDN);
  mpfr_mul(y, x, y, MPFR_RNDN);
  mpfr_mul_2ui(y, y, 1, MPFR_RNDN);
  mpfr_add(y, y, c_.im.raw(), MPFR_RNDN);
  mpfr_sub(x, x2, y2, MPFR_RNDN);
  mpfr_add(x, x, c_.re.raw(), MPFR_RNDN);
}

}  // namespace orrery::mandelbrot
