/// Fonts of the system for scripts that the program's own fonts lack: Chinese in the name of a file, say.
#pragma once

#include <set>
#include <vector>

#include "ui/theme.hpp"

namespace orrery::shell {

/// The fonts that the system prefers for these characters, each with those that it has and the ones before it do not;
/// of alphabets the neighbours as well, which are likely to follow. Empty where there is none, or no fontconfig on
/// Linux. Any one thread; takes some milliseconds, the first call longer.
std::vector<ui::SystemFont> system_fonts_for(const std::set<ImWchar>& characters);

}  // namespace orrery::shell
