/// Numbers as people, spreadsheets and Fortran write them: with a decimal point or a decimal comma, groups of three
/// digits, the minus sign U+2212, D before the exponent. parse_real() and parse_integer() are for what programs write.
/// Any thread.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace orrery {

/// The numbers that a text can mean, in the notation of parse_real(), of any length. Both are known and equal where it
/// has neither a point nor a comma; "1,234" has two different ones.
struct WrittenNumber {
  std::optional<std::string> with_point;  ///< the decimals follow ".", groups of digits may be separated by ","
  std::optional<std::string> with_comma;  ///< the decimals follow ",", groups of digits may be separated by "."

  bool is_number() const { return with_point || with_comma; }
  bool has_two_meanings() const { return with_point && with_comma && *with_point != *with_comma; }
};

/// Spaces, no-break spaces and apostrophes may separate groups of digits too. "nan" and "inf" are none.
WrittenNumber read_written_number(std::string_view text);

// ---- what a person types

enum class NumberKind { whole, real };

/// The number that is meant: "-0.75" for "−0,75", "200000" for "200,000", "1234.5" for "1.234,5" and "1 234,5". A text
/// that is no number comes back as it is. Throws a usage Error that names `what` for one that may mean two numbers, as
/// "1,234" does where it need not be whole; a point alone is a decimal point there.
std::string plain_number(std::string_view what, std::string_view typed, NumberKind kind = NumberKind::real);

/// Its value, or nothing where the text is no number. Throws as plain_number() does. "1e6" is a whole number, too.
std::optional<double> typed_real(std::string_view what, std::string_view typed);
std::optional<std::int64_t> typed_integer(std::string_view what, std::string_view typed);

/// Width and height of "1920x1080", also with X or ×, or nothing. Throws as plain_number() does.
std::optional<std::array<std::int64_t, 2>> typed_size(std::string_view what, std::string_view typed);

// ---- what Orrery writes

/// Raised digits: "¹⁷", "⁻³".
std::string superscript(int number);

}  // namespace orrery
