/// Fonts of the system for scripts that the program's own fonts lack: Chinese in the name of a file, say.
#pragma once

#include <set>
#include <vector>

#include "ui/theme.hpp"

namespace orrery::shell {

/// The system's preferred fonts for these characters, each with the characters that earlier fonts lack, and with likely
/// neighbours in alphabets. Empty without such fonts, or without fontconfig on Linux. Any one thread; takes some
/// milliseconds, the first call longer.
std::vector<ui::SystemFont> system_fonts_for(const std::set<ImWchar>& characters);

}  // namespace orrery::shell
