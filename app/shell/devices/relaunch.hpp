/// Starts the program again in its own process, because no process can draw after a reset of the graphics driver.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "shell/window/options.hpp"

namespace orrery::shell {

/// Arguments with which the program continues from `state` under the same options, after these frames and seconds.
std::vector<std::string> arguments_to_go_on(const WindowOptions& options, const std::filesystem::path& state,
                                            std::int64_t frames, double seconds);

/// Replaces the program of this process; objects are not destroyed. Throws Error if the system cannot do that, and
/// after three runs shorter than a minute.
[[noreturn]] void relaunch(const std::vector<std::string>& arguments, double lived);

/// True once if relaunch() started this program.
bool was_relaunched();

}  // namespace orrery::shell
