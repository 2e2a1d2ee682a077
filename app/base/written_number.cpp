#include "base/written_number.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "base/error.hpp"
#include "base/text.hpp"

namespace orrery {
namespace {

constexpr std::string_view minus_sign = "\u2212";
constexpr std::array<std::string_view, 6> neutral_marks{"'", "\u2019", " ", "\u00a0", "\u202f", "\u2009"};

/// Rewrites a text for parse_real().
class NumberReader {
 public:
  NumberReader(std::string_view text, char decimal) : rest_(text), decimal_(decimal) {}

  std::optional<std::string> plain() {
    take_sign();
    const std::string_view first = take_digits();
    const bool has_groups = take_groups(first);
    const bool has_fraction = accept(std::string_view(&decimal_, 1));
    if (has_fraction) plain_ += '.';
    const std::string_view fraction = has_fraction ? take_digits() : std::string_view();
    if (first.empty() && fraction.empty()) return std::nullopt;
    if (!rest_.empty() && std::string_view("eEdD").find(rest_.front()) != std::string_view::npos) {
      if (has_groups && !has_fraction) return std::nullopt;  // digits before an exponent are not grouped
      rest_.remove_prefix(1);
      plain_ += 'e';
      take_sign();
      if (take_digits().empty()) return std::nullopt;
    }
    return rest_.empty() ? std::optional(plain_) : std::nullopt;
  }

 private:
  bool accept(std::string_view mark) {
    if (!rest_.starts_with(mark)) return false;
    rest_.remove_prefix(mark.size());
    return true;
  }

  void take_sign() {
    if (accept("-") || accept(minus_sign))
      plain_ += '-';
    else
      (void)accept("+");
  }

  std::string_view take_digits() {
    const std::string_view digits = rest_.substr(0, rest_.find_first_not_of("0123456789"));
    plain_ += digits;
    rest_.remove_prefix(digits.size());
    return digits;
  }

  // Leaves digits that break the rules of groups, so that no number results.
  bool take_groups(std::string_view first) {
    if (first.empty() || first.size() > 3 || first.front() == '0') return false;
    const std::string_view other = decimal_ == '.' ? "," : ".";
    std::string_view mark = rest_.starts_with(other) ? other : std::string_view();
    for (const std::string_view neutral : neutral_marks)
      if (rest_.starts_with(neutral)) mark = neutral;
    if (mark.empty()) return false;
    while (rest_.starts_with(mark)) {
      const std::string_view group = rest_.substr(mark.size(), 4);
      const std::size_t digits = std::min(group.find_first_not_of("0123456789"), group.size());
      if (digits != 3) return false;
      rest_.remove_prefix(mark.size());
      take_digits();
    }
    return true;
  }

  std::string_view rest_;
  char decimal_;
  std::string plain_;
};

}  // namespace

WrittenNumber read_written_number(std::string_view text) {
  return {NumberReader(text, '.').plain(), NumberReader(text, ',').plain()};
}

namespace {

/// Also trims no-break spaces, which come with numbers copied from texts.
std::string_view without_outer_blanks(std::string_view text) {
  text = trimmed(text);
  for (const std::string_view mark : neutral_marks) {
    if (mark.front() == '\'' || mark == "\u2019") continue;
    if (text.starts_with(mark)) return without_outer_blanks(text.substr(mark.size()));
    if (text.ends_with(mark)) return without_outer_blanks(text.substr(0, text.size() - mark.size()));
  }
  return text;
}

}  // namespace

// A single point is a decimal point, as in Orrery's output; a single comma groups digits of whole numbers.
std::string plain_number(std::string_view what, std::string_view typed, NumberKind kind) {
  const std::string text(without_outer_blanks(typed));
  const WrittenNumber number = read_written_number(text);
  if (!number.is_number()) return std::string(typed);
  if (!number.has_two_meanings()) return number.with_point ? *number.with_point : *number.with_comma;
  const bool point = text.find('.') != std::string::npos, whole = kind == NumberKind::whole;
  if (point != whole) return *number.with_point;
  const std::string& decimal = whole ? *number.with_point : *number.with_comma;
  const std::string& with_groups = whole ? *number.with_comma : *number.with_point;
  throw usage_error(std::string(what), std::string(typed),
                    "either " + (whole ? decimal.substr(0, decimal.find('.')) : decimal) + " or " + with_groups);
}

std::string superscript(int number) {
  constexpr std::array digits{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = number < 0 ? "⁻" : "";
  for (const char digit : std::to_string(std::abs(number))) text += digits[static_cast<std::size_t>(digit - '0')];
  return text;
}

std::optional<double> typed_real(std::string_view what, std::string_view typed) {
  return parse_real(plain_number(what, typed));
}

std::optional<std::int64_t> typed_integer(std::string_view what, std::string_view typed) {
  constexpr double below_2_53 = 9007199254740992.0;
  const std::string plain = plain_number(what, typed, NumberKind::whole);
  if (const auto number = parse_integer(plain)) return number;
  const auto real = parse_real(plain);
  const bool whole = real && *real == std::floor(*real) && std::abs(*real) < below_2_53;
  return whole ? std::optional(static_cast<std::int64_t>(*real)) : std::nullopt;
}

std::optional<std::array<std::int64_t, 2>> typed_size(std::string_view what, std::string_view typed) {
  for (const std::string_view times : {"x", "X", "×"}) {
    const std::size_t at = typed.find(times);
    if (at == std::string_view::npos) continue;
    const auto width = typed_integer(what, typed.substr(0, at)),
               height = typed_integer(what, typed.substr(at + times.size()));
    return width && height ? std::optional(std::array{*width, *height}) : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace orrery
