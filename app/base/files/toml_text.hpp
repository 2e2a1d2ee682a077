/// Reading and writing TOML safely: toml++ 3.3 overflows the stack on deep nesting, and cannot always read its own
/// output. Plain functions; any thread.
#pragma once

#include <string>
#include <string_view>

#include <toml++/toml.h>

#include "base/parameter.hpp"

namespace orrery {

/// The limit of nested tables, arrays and parts of dotted keys together.
inline constexpr std::size_t most_toml_depth = 64;

/// Parses all TOML of the program. Throws a usage Error with file, line and column for text that is not TOML or is
/// nested too deeply. `file` stands for the text in messages.
toml::table parse_toml(std::string_view text, std::string_view file);
/// "views.toml:3:5", or "line 3, column 5" without a file name.
std::string place_of(std::string_view file, const toml::source_region& source);

/// The document as text. Multi-line texts stay legible unless quotation marks or a leading line break prevent it. All
/// keys must be bare.
std::string toml_text(const toml::table& document);
/// The same in ASCII, by escapes.
std::string ascii_toml_text(const toml::table& document);

/// The value of a key of a state: a boolean, a number or a text. Throws a usage Error with its place for another one.
Value state_value(const std::string& file, std::string_view key, const toml::node& node);

/// A key of letters, digits, '-' and '_', which needs no quotation marks.
bool is_bare_key(std::string_view key);

}  // namespace orrery
