/// A decimal number of any length, kept exactly as it was typed.
#pragma once

#include <string>
#include <string_view>

namespace orrery::mandelbrot {

/// A value. Today everything computes with value(), the nearest double; arithmetic of any length grows from text().
class Decimal {
 public:
  Decimal() = default;
  /// The shortest text that reads back as `value`.
  explicit Decimal(double value);
  /// [+-]digits[.digits][e[+-]digits], with |exponent| <= 100000. Throws a usage Error that names `what`.
  static Decimal parse(std::string_view text, std::string_view what);

  const std::string& text() const { return text_; }
  /// 0 for what is too small for a double; parse() refuses what is too large for one.
  double value() const { return value_; }
  bool operator==(const Decimal&) const = default;

 private:
  std::string text_ = "0";
  double value_ = 0;
};

}  // namespace orrery::mandelbrot
