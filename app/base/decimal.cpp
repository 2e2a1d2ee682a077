#include "base/decimal.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <vector>

#include "base/error.hpp"
#include "base/text.hpp"
#include "base/written_number.hpp"

namespace orrery {
namespace {

constexpr std::int64_t largest_exponent = 100000;
constexpr std::int64_t most_digits = largest_exponent + 200;  // length of the smallest number without an exponent

std::size_t digits_at(std::string_view text, std::size_t at) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto begin = text.begin() + static_cast<std::ptrdiff_t>(at);
  return static_cast<std::size_t>(std::find_if_not(begin, text.end(), is_digit) - begin);
}

/// The exponent, if the whole text is a decimal number.
std::optional<std::int64_t> exponent_of(std::string_view text) {
  std::size_t at = !text.empty() && (text[0] == '-' || text[0] == '+') ? 1 : 0;
  const std::size_t whole = digits_at(text, at);
  at += whole;
  std::size_t fraction = 0;
  if (at < text.size() && text[at] == '.') {
    fraction = digits_at(text, at + 1);
    at += 1 + fraction;
  }
  if (whole + fraction == 0) return std::nullopt;
  if (at == text.size()) return 0;
  if (text[at] != 'e' && text[at] != 'E') return std::nullopt;
  return parse_integer(text.substr(at + 1));
}

}  // namespace

/// digits · 10^exponent, the digits without zeros at either end; none for 0.
struct Digits {
  bool negative = false;
  std::string digits;
  std::int64_t exponent = 0;

  explicit Digits(const Decimal& number);
  Digits(bool minus, std::string all, std::int64_t power) : negative(minus), digits(std::move(all)), exponent(power) {
    trim();
  }

  /// The value is 0.digits · 10^point.
  std::int64_t point() const { return exponent + std::ssize(digits); }
  /// 0.digits
  double fraction() const;
  std::string text() const;
  Decimal decimal() const { return Decimal::from_text(text()); }
  /// All digits down to 10^place, which must not be above the exponent.
  std::string down_to(std::int64_t place) const {
    return digits + std::string(static_cast<std::size_t>(exponent - place), '0');
  }

 private:
  void trim();
};

Digits::Digits(const Decimal& number) {
  std::string_view text = number.text();
  negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  const std::size_t e = std::min(text.find_first_of("eE"), text.size());
  if (e < text.size()) exponent = parse_integer(text.substr(e + 1)).value_or(0);
  const std::string_view mantissa = text.substr(0, e);
  const std::size_t dot = std::min(mantissa.find('.'), mantissa.size());
  digits = mantissa.substr(0, dot);
  if (dot < mantissa.size()) {
    digits += mantissa.substr(dot + 1);
    exponent -= std::ssize(mantissa) - static_cast<std::int64_t>(dot) - 1;
  }
  trim();
}

void Digits::trim() {
  const std::size_t last = digits.find_last_not_of('0');
  exponent += std::ssize(digits) - (last == std::string::npos ? 0 : static_cast<std::int64_t>(last) + 1);
  digits.resize(last == std::string::npos ? 0 : last + 1);
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size()));
  if (!digits.empty()) return;
  negative = false;
  exponent = 0;
}

double Digits::fraction() const {
  double value = 0;
  const std::string leading = "0." + digits.substr(0, 20);
  std::from_chars(leading.data(), leading.data() + leading.size(), value);
  return value;
}

std::string Digits::text() const {
  constexpr std::int64_t most_zeros = 5;   // most zeros before the first digit …
  constexpr std::int64_t most_whole = 21;  // … and digits before the point, without an exponent
  if (digits.empty()) return "0";
  const std::string sign = negative ? "-" : "";
  const std::int64_t length = std::ssize(digits), at = point();
  const auto zeros = [](std::int64_t count) { return std::string(static_cast<std::size_t>(count), '0'); };
  if (at > most_whole || at < -most_zeros) {
    return sign + digits[0] + (length > 1 ? "." + digits.substr(1) : "") + "e" + std::to_string(at - 1);
  }
  if (at <= 0) return sign + "0." + zeros(-at) + digits;
  if (at >= length) return sign + digits + zeros(at - length);
  return sign + digits.substr(0, static_cast<std::size_t>(at)) + "." + digits.substr(static_cast<std::size_t>(at));
}

namespace {

// The sum of two whole numbers of equal length.
std::string sum_of(const std::string& a, const std::string& b) {
  std::string sum(a.size() + 1, '0');
  int carry = 0;
  for (std::size_t i = a.size(); i-- > 0;) {
    const int digit = (a[i] - '0') + (b[i] - '0') + carry;
    carry = digit / 10;
    sum[i + 1] = static_cast<char>('0' + digit % 10);
  }
  sum[0] = static_cast<char>('0' + carry);
  return sum;
}
std::string difference_of(const std::string& larger, const std::string& smaller) {
  std::string difference(larger.size(), '0');
  int borrow = 0;
  for (std::size_t i = larger.size(); i-- > 0;) {
    const int digit = larger[i] - smaller[i] - borrow;
    borrow = digit < 0 ? 1 : 0;
    difference[i] = static_cast<char>('0' + digit + 10 * borrow);
  }
  return difference;
}

Digits added(const Digits& a, const Digits& b) {
  if (a.digits.empty()) return b;
  if (b.digits.empty()) return a;
  const std::int64_t place = std::min(a.exponent, b.exponent);
  std::string left = a.down_to(place), right = b.down_to(place);
  const std::size_t length = std::max(left.size(), right.size());
  left.insert(0, length - left.size(), '0');
  right.insert(0, length - right.size(), '0');
  if (a.negative == b.negative) return {a.negative, sum_of(left, right), place};
  if (left >= right) return {a.negative, difference_of(left, right), place};
  return {b.negative, difference_of(right, left), place};
}

Digits multiplied(const Digits& a, const Digits& b) {
  std::vector<std::uint32_t> columns(a.digits.size() + b.digits.size(), 0);
  for (std::size_t i = a.digits.size(); i-- > 0;) {
    std::uint32_t carry = 0;
    const auto digit = static_cast<std::uint32_t>(a.digits[i] - '0');
    for (std::size_t k = b.digits.size(); k-- > 0;) {
      const std::uint32_t column = columns[i + k + 1] + digit * static_cast<std::uint32_t>(b.digits[k] - '0') + carry;
      columns[i + k + 1] = column % 10;
      carry = column / 10;
    }
    columns[i] += carry;
  }
  std::string product;
  for (const std::uint32_t column : columns) product.push_back(static_cast<char>('0' + column));
  return {a.negative != b.negative, std::move(product), a.exponent + b.exponent};
}

}  // namespace

Decimal::Decimal(double value) : text_(shortest(value)), value_(value) {}

Decimal Decimal::parse(std::string_view typed, std::string_view what) {
  const auto refuse = [&](const char* expected) {
    return usage_error(std::string(what), std::string(typed), expected);
  };
  const std::string text = exponent_of(typed) ? std::string(typed) : plain_number(what, typed);
  const std::optional<std::int64_t> exponent = exponent_of(text);
  if (!exponent) throw refuse("a decimal number such as -1.401155 or 3e-12");
  if (std::abs(*exponent) > largest_exponent) throw refuse("an exponent from -100000 to 100000");
  if (std::ranges::count_if(text, [](char c) { return c >= '0' && c <= '9'; }) > most_digits)
    throw refuse("a number of at most 100200 digits");
  Decimal decimal;
  decimal.text_ = text;
  const std::string_view digits = std::string_view(text).substr(text.starts_with('+') ? 1 : 0);
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), decimal.value_);
  if (error == std::errc::result_out_of_range) {
    if (Digits(decimal).point() > 0) throw refuse("a magnitude below 1.8e308");
    decimal.value_ = 0;
  }
  return decimal;
}

Decimal Decimal::from_text(std::string text) {
  Decimal decimal;
  decimal.text_ = std::move(text);
  const auto [end, error] =
      std::from_chars(decimal.text_.data(), decimal.text_.data() + decimal.text_.size(), decimal.value_);
  if (error == std::errc::result_out_of_range) decimal.value_ = 0;
  return decimal;
}

Decimal Decimal::exp(double exponent) {
  const double power = std::floor(exponent / std::numbers::ln10);
  const Decimal leading(std::exp(exponent - power * std::numbers::ln10));
  Digits digits(leading);
  digits.exponent += static_cast<std::int64_t>(power);
  return digits.decimal().significant(15);
}

bool Decimal::is_zero() const {
  return text_.substr(0, text_.find_first_of("eE")).find_first_of("123456789") == std::string::npos;
}

double Decimal::log() const {
  const Digits digits(*this);
  if (digits.digits.empty()) return -std::numeric_limits<double>::infinity();
  return std::log(digits.fraction()) + static_cast<double>(digits.point()) * std::numbers::ln10;
}

Decimal Decimal::rounded(std::int64_t place) const {
  const Digits digits(*this);
  if (digits.exponent >= place) return *this;
  const std::int64_t kept = digits.point() - place;
  if (kept < 0) return {};
  const auto end = static_cast<std::size_t>(kept);
  const bool up = digits.digits[end] >= '5';
  const Digits cut(digits.negative, digits.digits.substr(0, end), place);
  return (up ? added(cut, {digits.negative, "1", place}) : cut).decimal();
}

Decimal Decimal::significant(std::int64_t digits) const { return rounded(Digits(*this).point() - digits); }

Decimal operator+(const Decimal& a, const Decimal& b) { return added(Digits(a), Digits(b)).decimal(); }

Decimal operator-(const Decimal& a, const Decimal& b) {
  Digits minus(b);
  minus.negative = !minus.negative;
  return added(Digits(a), minus).decimal();
}

Decimal operator*(const Decimal& a, double factor) { return multiplied(Digits(a), Digits(Decimal(factor))).decimal(); }

bool operator<(const Decimal& a, const Decimal& b) {
  if (a.value() != b.value()) return a.value() < b.value();
  return Digits(a - b).negative;
}

double ratio(const Decimal& a, const Decimal& b) {
  const Digits above(a), below(b);
  if (above.digits.empty()) return 0;
  const double sign = above.negative == below.negative ? 1 : -1;
  return sign * above.fraction() / below.fraction() * std::pow(10, static_cast<double>(above.point() - below.point()));
}

}  // namespace orrery
