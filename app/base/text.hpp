/// Numbers to text and back, strictly and independent of the locale; words, checksums and differences of texts.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace orrery {

/// The text without these characters at both ends.
std::string_view trimmed(std::string_view text, std::string_view blanks = " \t\r\n");
/// The parts between the separators; including empty ones.
std::vector<std::string_view> split_text(std::string_view text, char separator);
/// Joins the items, or their texts by `text_of`, with a separator.
template <class Items, class Projection = std::identity>
std::string joined(const Items& items, std::string_view separator, const Projection& text_of = {}) {
  std::string text;
  for (const auto& item : items) {
    if (!text.empty()) text += separator;
    text += std::invoke(text_of, item);
  }
  return text;
}
/// The text in lower case; changes only A … Z.
std::string lower_case(std::string_view text);
/// The text with its first letter, if in a … z, in upper case.
std::string capitalised(std::string_view text);
/// "outer-solar-system" in words: "Outer solar system".
std::string in_words(std::string_view name);
/// A name as a symbol: "theta0" is "θ₀", "r0" is "r₀", "screening" is "Screening".
std::string as_symbol(std::string_view name);
/// True if one letter (in long names, two) is missing, additional, wrong or swapped with its neighbour.
bool is_misspelt(std::string_view typed, std::string_view meant);

/// The mark with which some programs begin UTF-8 texts.
inline constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

/// The whole of `text` as a number, or nothing. "nan" and "inf" are refused.
std::optional<double> parse_real(std::string_view text);
std::optional<std::int64_t> parse_integer(std::string_view text);

/// The shortest text that reads back as the same number.
std::string shortest(double value);
/// 17 significant digits, as the file formats promise.
std::string digits17(double value);
void append_digits17(std::string& text, double value);
/// "12,345,678"
std::string grouped(std::int64_t value);
/// Four significant digits for display: "1.235e+10".
std::string brief(double value, int significant = 4);
/// "12.3 MiB"
std::string bytes_text(double bytes);
/// FNV-1a of bytes that come in pieces: an identifier, not a protection against forgery. A change within one byte
/// always changes it.
class Fnv1a {
 public:
  void add(std::string_view bytes);
  /// The hash in hexadecimal.
  std::string text() const;

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325ULL;
};
/// The Fnv1a of a whole text.
std::string fnv1a(std::string_view text);

/// One entry per line of `text`: true if it is not in a longest common subsequence of both texts. Where lines are
/// missing, the next line is marked. Texts that have too little in common are marked completely.
std::vector<bool> changed_lines(std::string_view original, std::string_view text);

}  // namespace orrery
