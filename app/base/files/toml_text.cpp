#include "base/files/toml_text.hpp"

#include <algorithm>
#include <optional>
#include <sstream>
#include <vector>

#include "base/error.hpp"

namespace orrery {
namespace {

// Between ''' nothing can be escaped, and a leading line break is ignored.
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

// ---- reading

/// Follows the nesting of a text as a parser would: brackets, dots in keys, texts and comments. If the text is not
/// TOML, the parser stops earlier, and the result beyond that place does not matter.
class DepthScan {
 public:
  explicit DepthScan(std::string_view text) : text_(text) {}

  /// The place where the text exceeds the depth limit.
  std::optional<std::size_t> place() {
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      take(c);
      // A key, a comment or nothing can follow the end of a line.
      constexpr std::string_view no_key = " \t\r\n#";
      if (depth_ > most_toml_depth && no_key.find(c) == no_key.npos) return at_;
    }
    return std::nullopt;
  }

 private:
  struct Open {
    bool table;
    std::size_t depth;  // depth of the enclosing value
  };

  void take(char c) {
    switch (c) {
      case '#':
        return skip_to('\n');
      case '"':
      case '\'':
        return skip_text(c);
      case '\n':
        if (open_.empty() || header_) begin_key(header_depth_);
        return;
      case '=':
        in_key_ = false;
        return;
      case '.':
        if (in_key_) ++depth_;
        return;
      case '[':
        if (in_key_) return begin_header();
        open_.push_back({false, depth_});
        ++depth_;
        return;
      case '{':
        open_.push_back({true, depth_});
        return begin_key(depth_);
      case ',':
        if (!open_.empty()) continue_with(open_.back());
        return;
      case ']':
      case '}':
        if (header_) {
          header_depth_ = depth_;
          header_ = false;
        } else if (!open_.empty()) {
          depth_ = open_.back().depth;
          in_key_ = false;
          open_.pop_back();
        }
        return;
      default:
        return;
    }
  }

  void begin_key(std::size_t around) {
    in_key_ = true;
    header_ = false;
    depth_ = around + 1;
  }

  void begin_header() {
    open_.clear();
    begin_key(0);
    header_ = true;
  }

  void continue_with(const Open& open) {
    if (open.table)
      begin_key(open.depth);
    else
      depth_ = open.depth + 1;
  }

  void skip_to(char end) {
    at_ = std::min(text_.find(end, at_), text_.size());
    if (at_ < text_.size()) --at_;
  }

  // "…", '…', and multi-line texts, which may have two quotation marks before their end.
  void skip_text(char quote) {
    const std::string_view rest = text_.substr(at_);
    const bool several_lines = rest.size() > 2 && rest[1] == quote && rest[2] == quote;
    const std::string end(several_lines ? 3 : 1, quote);
    std::size_t i = end.size();
    while (i < rest.size() && !rest.substr(i).starts_with(end)) {
      if (!several_lines && rest[i] == '\n') break;
      i += quote == '"' && rest[i] == '\\' ? 2 : 1;
    }
    i += end.size();
    for (int more = 0; several_lines && more < 2 && i < rest.size() && rest[i] == quote; ++more) ++i;
    at_ += i - 1;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t depth_ = 1;         // depth of the current key or value
  std::size_t header_depth_ = 0;  // depth of the current [table]
  bool in_key_ = true;
  bool header_ = false;     // between the brackets of a [table]
  std::vector<Open> open_;  // open brackets of values
};

std::string position(std::string_view text, std::size_t at) {
  const std::string_view before = text.substr(0, at);
  const auto line = std::ranges::count(before, '\n') + 1;
  const std::size_t begin = before.rfind('\n');
  return std::to_string(line) + ":" + std::to_string(at - (begin == before.npos ? 0 : begin + 1) + 1);
}

constexpr auto plain_format = toml::toml_formatter::default_flags;
constexpr auto escaped_format =
    plain_format & ~(toml::format_flags::allow_literal_strings | toml::format_flags::allow_multi_line_strings);

std::string formatted(const toml::table& document, toml::format_flags flags) {
  std::ostringstream text;
  text << toml::toml_formatter(document, flags);
  return text.str();
}

std::string place_of(std::string_view file, const std::string& line_and_column) {
  if (!file.empty()) return std::string(file) + ":" + line_and_column;
  const std::size_t colon = line_and_column.find(':');
  return "line " + line_and_column.substr(0, colon) + ", column " + line_and_column.substr(colon + 1);
}

}  // namespace

std::string place_of(std::string_view file, const toml::source_region& source) {
  return place_of(file, std::to_string(source.begin.line) + ":" + std::to_string(source.begin.column));
}

toml::table parse_toml(std::string_view text, std::string_view file) {
  if (const auto deep = DepthScan(text).place())
    throw usage_error("keys, tables and arrays are nested too deeply", {},
                      "at most " + std::to_string(most_toml_depth) + " levels can be read",
                      place_of(file, position(text, *deep)));
  try {
    return toml::parse(text, file);
  } catch (const toml::parse_error& error) {
    throw usage_error("this is not TOML: " + std::string(error.description()), {}, {}, place_of(file, error.source()));
  }
}

std::string toml_text(const toml::table& document) {
  return formatted(document, any_needs_escapes(document) ? escaped_format : plain_format);
}

std::string ascii_toml_text(const toml::table& document) {
  std::string text = toml_text(document);
  const bool ascii = std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  return ascii ? text : formatted(document, escaped_format & ~toml::format_flags::allow_unicode_strings);
}

bool is_bare_key(std::string_view key) {
  return !key.empty() && std::ranges::all_of(key, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  });
}

}  // namespace orrery
