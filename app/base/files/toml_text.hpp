/// TOML as it is read, and as it is written: toml++ 3.3 overflows the stack over what is nested too deeply, and does
/// not always read what it prints. Plain functions; any thread.
#pragma once

#include <string>
#include <string_view>

#include <toml++/toml.h>

namespace orrery {

/// Tables in tables, arrays in arrays and parts of dotted keys, all together.
inline constexpr std::size_t most_toml_depth = 64;

/// All TOML that the program reads comes through here. Throws a usage Error with file, line and column for what is no
/// TOML, and for what is nested deeper than that. `file` is what messages call the text.
toml::table parse_toml(std::string_view text, std::string_view file);
/// "views.toml:3:5"; "line 3, column 5" where the file has no name.
std::string place_of(std::string_view file, const toml::source_region& source);

/// The document. Texts of several lines stay legible, but where quotation marks or a leading line break forbid it. Its
/// keys must be bare ones.
std::string toml_text(const toml::table& document);

/// Letters, digits, '-' and '_', at least one: what needs no quotation marks.
bool is_bare_key(std::string_view key);

}  // namespace orrery
