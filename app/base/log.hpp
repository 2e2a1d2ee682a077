/// Messages on standard error, one line each. Any thread.
#pragma once

#include <string_view>

namespace orrery {

enum class Level { info, warning, error };

/// Sets the least level to print; default: warnings. Called at the start of the process.
void print_from(Level least);
bool prints(Level level);

void log(Level level, std::string_view line);

}  // namespace orrery
