/// The program in its own place once more, for what no process survives: a graphics driver that was reset.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "shell/options.hpp"

namespace orrery::shell {

/// What goes on from `state` as these options had it, of which so many frames and seconds have passed.
std::vector<std::string> arguments_to_go_on(const WindowOptions& options, const std::filesystem::path& state,
                                            std::int64_t frames, double seconds);

/// Replaces the process, keeping its id; its objects are not destroyed. Throws Error where that cannot be, and when it
/// has been done too often in too short a time.
[[noreturn]] void relaunch(const std::vector<std::string>& arguments, double lived);

/// This process has been begun so; once.
bool was_relaunched();

}  // namespace orrery::shell
