/// A floating-point number of any number of bits: MPFR's, with RAII and operators.
///
/// A plain value. Results of operators have the precision of the more precise operand; everything rounds to nearest.
#pragma once

#include <mpfr.h>

#include <algorithm>
#include <string>
#include <utility>

namespace orrery::mandelbrot {

class BigFloat {
 public:
  /// 0 with that many bits.
  explicit BigFloat(mpfr_prec_t bits) { make(bits), mpfr_set_zero(value_, 1); }
  BigFloat(mpfr_prec_t bits, double value) { make(bits), mpfr_set_d(value_, value, MPFR_RNDN); }
  /// A decimal number, in the form of Decimal::text().
  BigFloat(mpfr_prec_t bits, const std::string& text) { make(bits), mpfr_set_str(value_, text.c_str(), 10, MPFR_RNDN); }

  BigFloat(const BigFloat& other) { make(other.bits()), mpfr_set(value_, other.value_, MPFR_RNDN); }
  BigFloat(BigFloat&& other) noexcept { value_[0] = std::exchange(other.value_[0], empty()); }
  BigFloat& operator=(BigFloat other) noexcept {
    std::swap(value_[0], other.value_[0]);
    return *this;
  }
  ~BigFloat() {
    if (value_[0]._mpfr_d != nullptr) mpfr_clear(value_);
  }

  mpfr_prec_t bits() const { return mpfr_get_prec(value_); }
  double value() const { return mpfr_get_d(value_, MPFR_RNDN); }
  mpfr_ptr raw() { return value_; }
  mpfr_srcptr raw() const { return value_; }

  friend BigFloat operator+(const BigFloat& a, const BigFloat& b) { return made(mpfr_add, a, b); }
  friend BigFloat operator-(const BigFloat& a, const BigFloat& b) { return made(mpfr_sub, a, b); }
  friend BigFloat operator*(const BigFloat& a, const BigFloat& b) { return made(mpfr_mul, a, b); }
  friend BigFloat operator/(const BigFloat& a, const BigFloat& b) { return made(mpfr_div, a, b); }
  friend bool operator<(const BigFloat& a, const BigFloat& b) { return mpfr_less_p(a.value_, b.value_) != 0; }

  BigFloat& operator+=(const BigFloat& b) { return mpfr_add(value_, value_, b.value_, MPFR_RNDN), *this; }
  BigFloat& operator*=(const BigFloat& b) { return mpfr_mul(value_, value_, b.value_, MPFR_RNDN), *this; }
  /// += a·b, rounded once.
  void add_product(const BigFloat& a, const BigFloat& b) { mpfr_fma(value_, a.value_, b.value_, value_, MPFR_RNDN); }

 private:
  // Releases MPFR's caches at the end of each thread.
  struct Caches {
    Caches() {}
    ~Caches() { mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE); }
  };

  static __mpfr_struct empty() { return {}; }
  void make(mpfr_prec_t bits) {
    static thread_local const Caches caches;
    mpfr_init2(value_, bits);
  }
  template <class F>
  static BigFloat made(F operation, const BigFloat& a, const BigFloat& b) {
    BigFloat result(std::max(a.bits(), b.bits()));
    operation(result.value_, a.value_, b.value_, MPFR_RNDN);
    return result;
  }

  mpfr_t value_;
};

inline BigFloat in_bits(const BigFloat& number, mpfr_prec_t bits) {
  BigFloat result(bits);
  mpfr_set(result.raw(), number.raw(), MPFR_RNDN);
  return result;
}

inline BigFloat power(const BigFloat& base, long exponent) {
  BigFloat result(base.bits());
  mpfr_pow_si(result.raw(), base.raw(), exponent, MPFR_RNDN);
  return result;
}

}  // namespace orrery::mandelbrot
