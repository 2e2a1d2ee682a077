/// What is left of a process that ends by a fault: a file that says which fault, and where.
#pragma once

#include <filesystem>

namespace orrery {

/// From now on, a signal that ends the process (a bad address, an abort …) first writes `file`: version, signal and the
/// calls on the stack. The process then ends by that signal as before. Once a process; no effect where the platform
/// has no such signals.
void report_crashes_to(const std::filesystem::path& file);

}  // namespace orrery
