/// Numbers in the notations of people, spreadsheets and Fortran: with a decimal point or a decimal comma, groups of
/// three digits, the minus sign U+2212, D before the exponent. parse_real() and parse_integer() read the output of
/// programs. Any thread.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace orrery {

/// The numbers that a text can mean, in the notation of parse_real(), of any length. Both are known and equal for a
/// text without point and comma; "1,234" has two different ones.
struct WrittenNumber {
  std::optional<std::string> with_point;  ///< the decimals follow ".", groups of digits may be separated by ","
  std::optional<std::string> with_comma;  ///< the decimals follow ",", groups of digits may be separated by "."

  bool is_number() const { return with_point || with_comma; }
  bool has_two_meanings() const { return with_point && with_comma && *with_point != *with_comma; }
};

/// Spaces, no-break spaces and apostrophes may separate groups of digits too. "nan" and "inf" are no numbers.
WrittenNumber read_written_number(std::string_view text);

// ---- typed numbers

enum class NumberKind { whole, real };

/// The number in plain notation: "-0.75" for "−0,75", "200000" for "200,000", "1234.5" for "1.234,5" and "1 234,5".
/// Other texts are returned unchanged. Throws a usage Error that names `what` for an ambiguous text, such as "1,234" as
/// a real; a single point is a decimal point.
std::string plain_number(std::string_view what, std::string_view typed, NumberKind kind = NumberKind::real);

/// The value, or nothing for other texts. Throws as plain_number() does. "1e6" is a whole number, too.
std::optional<double> typed_real(std::string_view what, std::string_view typed);
std::optional<std::int64_t> typed_integer(std::string_view what, std::string_view typed);

/// Width and height of "1920x1080", also with X or ×, or nothing. Throws as plain_number() does.
std::optional<std::array<std::int64_t, 2>> typed_size(std::string_view what, std::string_view typed);

// ---- Orrery's output

/// Raised digits: "¹⁷", "⁻³".
std::string superscript(int number);

}  // namespace orrery
