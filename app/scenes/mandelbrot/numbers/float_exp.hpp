/// Doubles with a separate exponent ("floatexp"): magnitudes far below 1e-308, as in deep views.
///
/// Plain values, normalised. Rounding is a double's; a summand below the last digit of the sum is dropped.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace orrery::mandelbrot {

/// 2^power: 0 below the range of doubles, and the largest power of two above it.
inline double power_of_two(std::int64_t power) {
  if (power < -1022) return 0;
  return std::bit_cast<double>(static_cast<std::uint64_t>(std::min<std::int64_t>(power, 1023) + 1023) << 52U);
}
/// ⌊log₂|x|⌋ of a normal number; −1023 for smaller ones.
inline std::int64_t exponent_of(double x) {
  return static_cast<std::int64_t>(std::bit_cast<std::uint64_t>(x) >> 52U & 0x7ffU) - 1023;
}

/// The exponent of 0: below all others, and still far from overflow when exponents add up.
inline constexpr std::int64_t exponent_of_zero = std::numeric_limits<std::int64_t>::min() / 8;

class FloatExp {
 public:
  FloatExp() = default;
  /// value · 2^exponent; `value` must be finite.
  explicit FloatExp(double value, std::int64_t exponent = 0) {
    const std::int64_t shift = exponent_of(value);
    if (shift == -1023) return;  // 0 or negligible
    mantissa_ = value * power_of_two(-shift / 2) * power_of_two(-shift - -shift / 2);
    exponent_ = exponent + shift;
  }

  /// 0, or of magnitude 1 … 2.
  double mantissa() const { return mantissa_; }
  std::int64_t exponent() const { return exponent_; }
  bool is_zero() const { return mantissa_ == 0; }
  /// The nearest double: 0 below their range.
  double value() const { return scaled(0); }
  /// value · 2^-shift as a double.
  double scaled(std::int64_t shift) const { return mantissa_ * power_of_two(exponent_ - shift); }
  /// log₂|x|, −inf for 0.
  double log2() const {
    return is_zero() ? -std::numeric_limits<double>::infinity()
                     : static_cast<double>(exponent_) + std::log2(std::abs(mantissa_));
  }

  FloatExp operator-() const { return FloatExp(-mantissa_, exponent_); }
  friend FloatExp operator*(FloatExp a, FloatExp b) {
    return FloatExp(a.mantissa_ * b.mantissa_, a.exponent_ + b.exponent_);
  }
  /// `b` must not be 0.
  friend FloatExp operator/(FloatExp a, FloatExp b) {
    return FloatExp(a.mantissa_ / b.mantissa_, a.exponent_ - b.exponent_);
  }
  friend FloatExp operator+(FloatExp a, FloatExp b) {
    if (a.exponent_ < b.exponent_) std::swap(a, b);
    return FloatExp(a.mantissa_ + b.scaled(a.exponent_), a.exponent_);
  }
  friend FloatExp operator-(FloatExp a, FloatExp b) { return a + -b; }
  friend bool operator<(FloatExp a, FloatExp b) { return (a - b).mantissa_ < 0; }
  bool operator==(const FloatExp&) const = default;

 private:
  double mantissa_ = 0;
  std::int64_t exponent_ = exponent_of_zero;
};

/// Both parts share an exponent: the larger one is of magnitude 1 … 2.
class FloatExpComplex {
 public:
  FloatExpComplex() = default;
  /// (re + i·im) · 2^exponent
  explicit FloatExpComplex(double re) : FloatExpComplex(re, 0) {}
  FloatExpComplex(double re, double im, std::int64_t exponent = 0) {
    const std::int64_t shift = std::max(exponent_of(re), exponent_of(im));
    if (shift == -1023) return;
    const double first = power_of_two(-shift / 2), second = power_of_two(-shift - -shift / 2);
    re_ = re * first * second;
    im_ = im * first * second;
    exponent_ = exponent + shift;
  }
  FloatExpComplex(FloatExp re, FloatExp im) {
    const std::int64_t exponent = std::max(re.exponent(), im.exponent());
    *this = {re.scaled(exponent), im.scaled(exponent), exponent};
  }

  double re() const { return re_; }
  double im() const { return im_; }
  std::int64_t exponent() const { return exponent_; }
  FloatExp abs() const { return FloatExp(std::sqrt(re_ * re_ + im_ * im_), exponent_); }

  FloatExpComplex operator-() const { return {-re_, -im_, exponent_}; }
  friend FloatExpComplex operator*(const FloatExpComplex& a, const FloatExpComplex& b) {
    return {a.re_ * b.re_ - a.im_ * b.im_, a.re_ * b.im_ + a.im_ * b.re_, a.exponent_ + b.exponent_};
  }
  /// `b` must not be 0.
  friend FloatExpComplex operator/(const FloatExpComplex& a, const FloatExpComplex& b) {
    const double norm = b.re_ * b.re_ + b.im_ * b.im_;
    return {(a.re_ * b.re_ + a.im_ * b.im_) / norm, (a.im_ * b.re_ - a.re_ * b.im_) / norm, a.exponent_ - b.exponent_};
  }
  friend FloatExpComplex operator+(const FloatExpComplex& a, const FloatExpComplex& b) {
    if (a.exponent_ < b.exponent_) return b + a;
    const double factor = power_of_two(b.exponent_ - a.exponent_);
    return {a.re_ + factor * b.re_, a.im_ + factor * b.im_, a.exponent_};
  }
  friend FloatExpComplex operator-(const FloatExpComplex& a, const FloatExpComplex& b) { return a + -b; }
  bool operator==(const FloatExpComplex&) const = default;

 private:
  double re_ = 0;
  double im_ = 0;
  std::int64_t exponent_ = exponent_of_zero;
};

}  // namespace orrery::mandelbrot
