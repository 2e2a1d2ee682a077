#include "base/printable.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <vector>

namespace orrery {
namespace {

struct Character {
  char32_t code = 0;
  std::size_t bytes = 0;  // 0: the first byte begins no character of UTF-8
};

// RFC 3629: the shortest form, no surrogates, up to U+10FFFF.
Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < bytes) return {};
  char32_t code = lead & (0xffU >> (bytes + 1));
  for (std::size_t k = 1; k < bytes; ++k) {
    if ((byte(k) & 0xc0U) != 0x80) return {};
    code = code << 6 | (byte(k) & 0x3fU);
  }
  constexpr std::array<char32_t, 5> least{0, 0, 0x80, 0x800, 0x10000};
  if (code < least[bytes] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return {};
  return {code, bytes};
}

// Controls of both sets, line ends, and characters that change the writing direction or have no width.
bool is_hidden(char32_t code) {
  return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x61c || (code >= 0x200b && code <= 0x200f) ||
         (code >= 0x2028 && code <= 0x202e) || (code >= 0x2060 && code <= 0x206f) || code == 0xfeff;
}

std::string escaped(char32_t code) {
  if (code == '\n') return "\\n";
  if (code == '\r') return "\\r";
  if (code == '\t') return "\\t";
  std::array<char, 16> buffer{};
  std::snprintf(buffer.data(), buffer.size(), code < 0x100 ? "\\x%02x" : "\\u%04x", static_cast<unsigned>(code));
  return buffer.data();
}

/// The first `most` characters of a text in displayed form.
std::vector<std::string> shown_characters(std::string_view text, std::size_t most) {
  std::vector<std::string> shown;
  while (!text.empty() && shown.size() < most) {
    const Character character = first_character(text);
    if (character.bytes == 0)
      shown.push_back(escaped(static_cast<unsigned char>(text.front())));
    else
      shown.push_back(is_hidden(character.code) ? escaped(character.code)
                                                : std::string(text.substr(0, character.bytes)));
    text.remove_prefix(std::max<std::size_t>(character.bytes, 1));
  }
  return shown;
}

std::size_t length_of(const std::string& shown) { return shown.front() == '\\' ? shown.size() : 1; }

// The longest prefix of these characters that fits.
template <class Range>
std::vector<std::string> fitting(const Range& characters, std::size_t most) {
  std::vector<std::string> kept;
  std::size_t length = 0;
  for (const std::string& character : characters) {
    length += length_of(character);
    if (length > most) break;
    kept.push_back(character);
  }
  return kept;
}

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += part;
  return text;
}

}  // namespace

std::string printable(std::string_view text, std::size_t most) {
  const std::vector<std::string> first = shown_characters(text, most + 1);
  const std::vector<std::string> all = fitting(first, most);
  if (all.size() == first.size()) return joined(all);
  const std::size_t end = (most - 1) / 3;
  std::string_view rest = text.substr(text.size() - std::min(text.size(), 4 * end));
  while (!rest.empty() && (static_cast<unsigned char>(rest.front()) & 0xc0U) == 0x80) rest.remove_prefix(1);
  std::vector<std::string> last = shown_characters(rest, 4 * end);
  std::ranges::reverse(last);
  last = fitting(last, end);
  std::ranges::reverse(last);
  return joined(fitting(first, most - 1 - end)) + "…" + joined(last);
}

std::string in_quotes(std::string_view text) { return '"' + printable(text) + '"'; }

bool is_blank(std::string_view text) { return text.find_first_not_of(" \t\r\n\v\f") == std::string_view::npos; }

}  // namespace orrery
