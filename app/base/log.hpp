/// One line at a time on standard error; the last lines are kept for a panel or a crash report. Any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace orrery {

enum class Level { info, warning, error };

void log(Level level, std::string_view line);
/// Below this level nothing is printed (it is still kept). The default is warning.
void set_log_threshold(Level level);
/// The last lines, oldest first.
std::vector<std::string> recent_log_lines();

}  // namespace orrery
