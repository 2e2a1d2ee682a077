#include "base/toml_text.hpp"

#include <algorithm>
#include <sstream>

namespace orrery {
namespace {

// Between ''' nothing can be escaped, and a line break that comes first is none.
bool needs_escapes(const std::string& text) {
  return text.find('\'') != std::string::npos || (!text.empty() && (text.front() == '\n' || text.front() == '\r'));
}

bool any_needs_escapes(const toml::node& node) {
  if (const auto* text = node.as_string()) return needs_escapes(text->get());
  if (const auto* array = node.as_array()) return std::ranges::any_of(*array, any_needs_escapes);
  if (const auto* table = node.as_table())
    return std::ranges::any_of(*table, [](const auto& entry) { return any_needs_escapes(entry.second); });
  return false;
}

}  // namespace

std::string toml_text(const toml::table& document) {
  constexpr auto plain = toml::toml_formatter::default_flags;
  constexpr auto escaped =
      plain & ~(toml::format_flags::allow_literal_strings | toml::format_flags::allow_multi_line_strings);
  std::ostringstream text;
  text << toml::toml_formatter(document, any_needs_escapes(document) ? escaped : plain);
  return text.str();
}

bool is_bare_key(std::string_view key) {
  return !key.empty() && std::ranges::all_of(key, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  });
}

}  // namespace orrery
