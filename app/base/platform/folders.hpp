/// The user's folders; empty: none. They are not created.
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

namespace orrery::platform {

std::filesystem::path user_home();
/// This program's folders: for its cache, for its state, and for the user's files.
std::filesystem::path user_cache();
std::filesystem::path user_state();
std::filesystem::path user_data();
/// The folder that the desktop names for pictures.
std::filesystem::path user_pictures();
/// The entry of that name, such as "XDG_PICTURES_DIR", in the text of a user-dirs.dirs file; empty: no entry.
std::filesystem::path user_directory(std::string_view user_dirs, std::string_view name,
                                     const std::filesystem::path& home);
/// The roots of drives (C:, D:); empty on systems with a single root.
std::vector<std::filesystem::path> volumes();
/// The folder that registers OpenCL drivers by files (*.icd).
std::filesystem::path opencl_drivers();

}  // namespace orrery::platform
