/// The orbit of z → z² + c, or of another formula, from z₀ = 0 in many bits: the only such part of a deep picture.
///
/// A plain value; one thread at a time.
#pragma once

#include "scenes/mandelbrot/numbers/big_float.hpp"
#include "scenes/mandelbrot/numbers/float_exp.hpp"
#include "scenes/mandelbrot/numbers/formula.hpp"

namespace orrery::mandelbrot {

/// Both parts have the same number of bits.
struct BigComplex {
  BigFloat re, im;

  mpfr_prec_t bits() const { return re.bits(); }
  friend bool operator==(const BigComplex& a, const BigComplex& b) {
    return mpfr_equal_p(a.re.raw(), b.re.raw()) != 0 && mpfr_equal_p(a.im.raw(), b.im.raw()) != 0;
  }
};

FloatExp float_exp(const BigFloat& number);
inline FloatExpComplex float_exp(const BigComplex& z) { return {float_exp(z.re), float_exp(z.im)}; }
/// a − b, its parts rounded to doubles.
FloatExpComplex difference(const BigComplex& a, const BigComplex& b);
/// a + b in the bits of a.
BigComplex moved(const BigComplex& a, const FloatExpComplex& b);

class BigOrbit {
 public:
  BigOrbit(Formula formula, const BigComplex& c);
  /// Continues from z.
  BigOrbit(Formula formula, const BigComplex& c, const BigComplex& z);

  const BigComplex& c() const { return c_; }
  const BigComplex& z() const { return z_; }
  /// The parts of z, rounded to doubles.
  double re() const { return z_.re.value(); }
  double im() const { return z_.im.value(); }
  /// z → z^power + c
  void step();

 private:
  void square();
  void multiply(const BigComplex& factor);

  Formula formula_;
  BigComplex c_, z_;
  BigFloat x2_, y2_;
};

}  // namespace orrery::mandelbrot
