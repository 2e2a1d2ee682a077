#include "scenes/mandelbrot/numbers/fixed_orbit.hpp"

#include <cmath>

namespace orrery::mandelbrot {
namespace {

static_assert(GMP_NUMB_BITS == 64);
constexpr int limb_bits = 64;

long fraction_bits(std::size_t limbs) { return limb_bits * (static_cast<long>(limbs) - 1); }
mp_size_t size_of(const std::vector<mp_limb_t>& limbs) { return static_cast<mp_size_t>(limbs.size()); }
std::size_t limbs_for(mpfr_prec_t bits) { return static_cast<std::size_t>((bits + limb_bits - 1) / limb_bits) + 1; }

}  // namespace

FixedOrbit::Number::Number(const BigFloat& number, std::size_t count)
    : limbs(count), negative(mpfr_signbit(number.raw()) != 0) {
  BigFloat scaled = number;
  mpfr_mul_2si(scaled.raw(), scaled.raw(), fraction_bits(count), MPFR_RNDZ);
  mpz_t whole;
  mpz_init(whole);
  mpfr_get_z(whole, scaled.raw(), MPFR_RNDZ);
  mpz_export(limbs.data(), nullptr, -1, sizeof(mp_limb_t), 0, 0, whole);
  mpz_clear(whole);
}

// Two limbs exceed a double's digits: the first that is not 0, and the one below.
double FixedOrbit::Number::value() const {
  std::size_t first = limbs.size() - 1;
  double unit = 1;
  for (; first > 1 && limbs[first] == 0; --first) unit *= 0x1p-64;
  const double size = unit * (static_cast<double>(limbs[first]) + 0x1p-64 * static_cast<double>(limbs[first - 1]));
  return negative ? -size : size;
}

BigFloat FixedOrbit::Number::big(mpfr_prec_t bits) const {
  BigFloat number(bits);
  mpz_t whole;
  mpz_roinit_n(whole, limbs.data(), size_of(limbs));
  mpfr_set_z_2exp(number.raw(), whole, -fraction_bits(limbs.size()), MPFR_RNDN);
  if (negative) mpfr_neg(number.raw(), number.raw(), MPFR_RNDN);
  return number;
}

void FixedOrbit::Number::add(const Number& other) {
  mp_limb_t* const own = limbs.data();
  const mp_limb_t* const others = other.limbs.data();
  const mp_size_t count = size_of(limbs);
  if (negative == other.negative) {
    mpn_add_n(own, own, others, count);
  } else if (mpn_cmp(own, others, count) >= 0) {
    mpn_sub_n(own, own, others, count);
  } else {
    mpn_sub_n(own, others, own, count);
    negative = other.negative;
  }
}

FixedOrbit::FixedOrbit(const BigComplex& c)
    : bits_(c.bits()),
      c_re_(c.re, limbs_for(bits_)),
      c_im_(c.im, limbs_for(bits_)),
      re_(BigFloat(bits_), limbs_for(bits_)),
      im_(re_),
      re2_(2 * re_.limbs.size()),
      im2_(re2_.size()),
      product_(re2_.size()) {}

BigComplex FixedOrbit::z() const { return {re_.big(bits_), im_.big(bits_)}; }

// A product has twice as many limbs behind the point; the lower ones are dropped.
void FixedOrbit::step() {
  const mp_size_t count = size_of(re_.limbs);
  mpn_sqr(re2_.data(), re_.limbs.data(), count);
  mpn_sqr(im2_.data(), im_.limbs.data(), count);
  mpn_mul_n(product_.data(), re_.limbs.data(), im_.limbs.data(), count);
  const mp_limb_t *const re2 = &re2_[re_.limbs.size() - 1], *const im2 = &im2_[re_.limbs.size() - 1];
  const bool negative_product = re_.negative != im_.negative;
  re_.negative = mpn_cmp(re2, im2, count) < 0;
  re_.negative ? mpn_sub_n(re_.limbs.data(), im2, re2, count) : mpn_sub_n(re_.limbs.data(), re2, im2, count);
  im_.negative = negative_product;
  mpn_lshift(im_.limbs.data(), &product_[re_.limbs.size() - 1], count, 1);
  re_.add(c_re_);
  im_.add(c_im_);
}

}  // namespace orrery::mandelbrot
