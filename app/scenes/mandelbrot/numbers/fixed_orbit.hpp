/// The orbit of z → z² + c in fixed point: twice as fast as floating point with as many bits (BigOrbit).
///
/// A plain value; one thread at a time.
#pragma once

#include <gmp.h>

#include <vector>

#include "scenes/mandelbrot/numbers/big_orbit.hpp"

namespace orrery::mandelbrot {

class FixedOrbit {
 public:
  /// Parts of z must stay below this.
  static constexpr double largest = 0x1p31;

  /// Starts from z = 0, with at least as many bits behind the point as c has. A step adds less than three units in the
  /// last place to each part. |c| is below `largest`.
  explicit FixedOrbit(const BigComplex& c);

  void step();
  /// The parts of z, rounded to doubles.
  double re() const { return re_.value(); }
  double im() const { return im_.value(); }
  BigComplex z() const;

 private:
  /// Sign and magnitude: the most significant limb is the whole part, the others are the fraction.
  struct Number {
    std::vector<mp_limb_t> limbs;  // the least significant one first
    bool negative = false;

    Number(const BigFloat& number, std::size_t count);
    double value() const;
    BigFloat big(mpfr_prec_t bits) const;
    void add(const Number& other);
  };

  mpfr_prec_t bits_;
  Number c_re_, c_im_, re_, im_;
  std::vector<mp_limb_t> re2_, im2_, product_;  // twice as many limbs
};

}  // namespace orrery::mandelbrot
