#include "base/platform/folders.hpp"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

namespace orrery::platform {
namespace fs = std::filesystem;
namespace {

fs::path folder_in(const char* variable) {
  const char* value = std::getenv(variable);
  return value == nullptr ? fs::path() : fs::path(value);
}

// The XDG Base Directory Specification names the variable and the default.
fs::path own_folder(const char* variable, const char* under_home) {
  fs::path folder = folder_in(variable);
  if (folder.empty()) {
    folder = user_home();
    if (folder.empty()) return {};
    folder /= under_home;
  }
  return folder / "orrery";
}

}  // namespace

fs::path user_home() { return folder_in("HOME"); }
fs::path user_cache() { return own_folder("XDG_CACHE_HOME", ".cache"); }
fs::path user_state() { return own_folder("XDG_STATE_HOME", ".local/state"); }
fs::path user_data() { return own_folder("XDG_DATA_HOME", ".local/share"); }

fs::path user_pictures() {
  fs::path named = folder_in("XDG_PICTURES_DIR");
  if (named.is_absolute()) return named;
  const fs::path chosen = folder_in("XDG_CONFIG_HOME");
  const fs::path dirs = (chosen.is_absolute() ? chosen : user_home() / ".config") / "user-dirs.dirs";
  std::error_code none;
  if (!fs::is_regular_file(dirs, none)) return {};  // a pipe would wait for its writer
  std::ifstream file(dirs);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  return user_directory(text, "XDG_PICTURES_DIR", user_home());
}

std::vector<fs::path> volumes() { return {}; }
fs::path opencl_drivers() { return "/etc/OpenCL/vendors"; }

}  // namespace orrery::platform
