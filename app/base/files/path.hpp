/// Where the program's own files are, and where it may keep what it learns.
#pragma once

#include <filesystem>
#include <string_view>

namespace orrery {

/// The folder that holds kernels/, shaders/ and assets/: $ORRERY_HOME, else beside the executable, else
/// ../share/orrery from it, else the source tree it was built from. Throws Error when there is none.
const std::filesystem::path& home();
inline std::filesystem::path kernel_folder() { return home() / "kernels"; }
inline std::filesystem::path shader_folder() { return home() / "shaders"; }
inline std::filesystem::path asset_folder() { return home() / "assets"; }

std::filesystem::path executable_folder();

/// Per-user folders, created on first use: $XDG_CACHE_HOME/orrery, $XDG_STATE_HOME/orrery, and $XDG_DATA_HOME/orrery
/// for what a person has made (%LOCALAPPDATA%\orrery on Windows). Empty when none can be created; the caller then goes
/// without.
std::filesystem::path cache_folder();
std::filesystem::path state_folder();
std::filesystem::path data_folder();

}  // namespace orrery
