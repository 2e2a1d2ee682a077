/// One line at a time on standard error; what is only information is not printed. Any thread.
#pragma once

#include <string_view>

namespace orrery {

enum class Level { info, warning, error };

void log(Level level, std::string_view line);

}  // namespace orrery
