/// Safe display of text of unknown origin. Any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace orrery {

/// A message shows this many characters of a value.
inline constexpr std::size_t most_shown = 80;
/// One line of valid UTF-8. Invisible and terminal control characters are escaped (\n, \x1b, \u202e); a text longer
/// than `most` characters keeps its beginning and end.
std::string printable(std::string_view text, std::size_t most = most_shown);
/// printable(text) in double quotes, as messages show values.
std::string in_quotes(std::string_view text);
/// True for texts of spaces, tabs and line breaks only.
bool is_blank(std::string_view text);

}  // namespace orrery
