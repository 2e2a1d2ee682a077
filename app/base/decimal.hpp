/// A decimal number of nearly any length, kept exactly as it was typed, and the exact arithmetic that views need.
///
/// A plain value. Sums and products are exact and as long as they must be; rounded() and significant() shorten them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace orrery {

class Decimal {
 public:
  Decimal() = default;
  /// The shortest text that reads back as `value`, which must be finite.
  explicit Decimal(double value);
  /// [+-]digits[.digits][e[+-]digits], with |exponent| <= 100000 and at most 100200 digits, or a text that
  /// plain_number() accepts. Throws a usage Error that names `what`.
  static Decimal parse(std::string_view text, std::string_view what);
  /// e^exponent to about 13 digits; the inverse of log().
  static Decimal exp(double exponent);

  const std::string& text() const { return text_; }
  /// The nearest double; 0 for smaller numbers. parse() refuses larger ones.
  double value() const { return value_; }
  /// Compares the texts.
  bool operator==(const Decimal&) const = default;

  bool is_zero() const;
  /// ln|x|, also if value() underflows to 0; −inf for 0.
  double log() const;
  /// To a multiple of 10^place, ties away from 0.
  Decimal rounded(std::int64_t place) const;
  /// To that many digits.
  Decimal significant(std::int64_t digits) const;

 private:
  static Decimal from_text(std::string text);
  friend struct Digits;

  std::string text_ = "0";
  double value_ = 0;
};

Decimal operator+(const Decimal& a, const Decimal& b);
Decimal operator-(const Decimal& a, const Decimal& b);
/// `factor` is taken as its shortest decimal text.
Decimal operator*(const Decimal& a, double factor);
/// Compares the values.
bool operator<(const Decimal& a, const Decimal& b);
/// a / b as a double; 0 or ±inf out of its range. `b` must not be 0.
double ratio(const Decimal& a, const Decimal& b);

}  // namespace orrery
