/// The program's own folders and the user's folders.
#pragma once

#include <filesystem>
#include <string_view>

namespace orrery {

/// The folder of kernels/, shaders/ and assets/: $ORRERY_HOME, the executable's folder, ../share/orrery from there, or
/// the source tree (not in packages), in this order. Throws an Error if none exists.
const std::filesystem::path& home();
inline std::filesystem::path kernel_folder() { return home() / "kernels"; }
inline std::filesystem::path shader_folder() { return home() / "shaders"; }
inline std::filesystem::path asset_folder() { return home() / "assets"; }

/// The file of this name in a subfolder of `folder`, or in `folder` itself. Kernels and shaders are known by their
/// names, which are unique; the subfolders only keep them in order.
std::filesystem::path find_below(const std::filesystem::path& folder, const std::filesystem::path& name);

std::filesystem::path executable_folder();

/// The user's folders, created on first use, and cleaned of leftovers of killed processes: $XDG_CACHE_HOME/orrery,
/// $XDG_STATE_HOME/orrery, and $XDG_DATA_HOME/orrery for the user's own files (%LOCALAPPDATA%\orrery on Windows). Empty
/// if the folder cannot be created; the caller then continues without it.
std::filesystem::path cache_folder();
std::filesystem::path state_folder();
std::filesystem::path data_folder();

/// $HOME; empty: not set.
std::filesystem::path user_home();
/// Orrery's folder among the user's pictures, where pictures and exports go; not created. The user's pictures are in
/// $XDG_PICTURES_DIR, from the environment or user-dirs.dirs, else in ~/Pictures if that exists, else in ~.
std::filesystem::path find_pictures_folder();
/// The result of the first find_pictures_folder().
const std::filesystem::path& pictures_folder();
/// Resolves a path typed for a picture or an export: a relative one is relative to pictures_folder(). "" stays "".
std::filesystem::path among_pictures(std::string_view typed);

}  // namespace orrery
