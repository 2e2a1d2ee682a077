/// Messages on standard error, one line each. Any thread.
#pragma once

#include <string_view>

namespace orrery {

enum class Level { info, warning, error };

/// From which level on they are printed: warnings, unless the process was told otherwise at its beginning.
void print_from(Level least);
bool prints(Level level);

void log(Level level, std::string_view line);

}  // namespace orrery
