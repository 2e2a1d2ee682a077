/// Texts of others, fit to be shown. Any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace orrery {

/// A message shows this many characters of a value.
inline constexpr std::size_t most_shown = 80;
/// For a person's screen: one line of valid UTF-8. What steers a terminal or cannot be seen is escaped (\n, \x1b,
/// \u202e); of a text that is longer than `most` characters, the beginning and the end remain.
std::string printable(std::string_view text, std::size_t most = most_shown);
/// Nothing but spaces, tabs and line breaks.
bool is_blank(std::string_view text);

}  // namespace orrery
