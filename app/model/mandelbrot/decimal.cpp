#include "model/mandelbrot/decimal.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/error.hpp"
#include "base/text.hpp"

namespace orrery::mandelbrot {
namespace {

constexpr std::int64_t largest_exponent = 100000;

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

Decimal::Decimal(double value) : text_(shortest(value)), value_(value) {}

Decimal Decimal::parse(std::string_view text, std::string_view what) {
  const auto refuse = [&](const char* allowed) {
    return usage_error(std::string(what) + " cannot be", std::string(text), allowed);
  };
  const std::optional<std::int64_t> exponent = exponent_of(text);
  if (!exponent) throw refuse("allowed: a decimal number such as -1.401155 or 3e-12");
  if (std::abs(*exponent) > largest_exponent) throw refuse("allowed: exponents from -100000 to 100000");
  Decimal decimal;
  decimal.text_ = text;
  const std::string_view digits = text.starts_with('+') ? text.substr(1) : text;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), decimal.value_);
  if (error == std::errc::result_out_of_range) {
    if (*exponent > 0) throw refuse("allowed: magnitudes below 1.8e308");
    decimal.value_ = 0;
  }
  return decimal;
}

}  // namespace orrery::mandelbrot
