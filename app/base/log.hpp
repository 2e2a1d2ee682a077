/// Messages on standard error, one line each; information is not printed. Any thread.
#pragma once

#include <string_view>

namespace orrery {

enum class Level { info, warning, error };

void log(Level level, std::string_view line);

}  // namespace orrery
