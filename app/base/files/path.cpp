#include "base/files/path.hpp"

#include <array>
#include <cstdlib>
#include <string>
#include <vector>

#ifdef _WIN32
#include <windows.h>
#endif

#include "base/error.hpp"

namespace orrery {
namespace fs = std::filesystem;
namespace {

fs::path environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? fs::path() : fs::path(value);
}

fs::path find_home() {
  const fs::path executable = executable_folder();
  const std::vector<fs::path> places = {environment("ORRERY_HOME"), executable, executable / ".." / "share" / "orrery",
                                        fs::path(ORRERY_SOURCE_DIR)};
  std::error_code ignored;
  for (const fs::path& place : places)
    if (!place.empty() && fs::is_directory(place / "kernels", ignored) && fs::is_directory(place / "shaders", ignored))
      return fs::weakly_canonical(place);
  throw failure("cannot find the folders kernels/ and shaders/", "set ORRERY_HOME to the folder that contains them");
}

fs::path user_folder([[maybe_unused]] const char* xdg, [[maybe_unused]] const char* under_home,
                     [[maybe_unused]] const char* windows_name) {
#ifdef _WIN32
  fs::path folder = environment("LOCALAPPDATA") / "orrery" / windows_name;
#else
  fs::path folder = environment(xdg);
  if (folder.empty()) {
    folder = environment("HOME");
    if (folder.empty()) return {};
    folder /= under_home;
  }
  folder /= "orrery";
#endif
  std::error_code error;
  fs::create_directories(folder, error);
  return error ? fs::path() : folder;
}

}  // namespace

fs::path executable_folder() {
#ifdef _WIN32
  std::array<wchar_t, 32768> buffer{};
  const DWORD length = GetModuleFileNameW(nullptr, buffer.data(), static_cast<DWORD>(buffer.size()));
  return fs::path(std::wstring(buffer.data(), length)).parent_path();
#else
  std::error_code ignored;
  return fs::read_symlink("/proc/self/exe", ignored).parent_path();
#endif
}

const fs::path& home() {
  static const fs::path found = find_home();
  return found;
}

fs::path find_below(const fs::path& folder, const fs::path& name) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored))
    if (entry.is_directory(ignored) && fs::exists(entry.path() / name, ignored)) return entry.path() / name;
  return folder / name;
}

fs::path cache_folder() { return user_folder("XDG_CACHE_HOME", ".cache", "cache"); }
fs::path state_folder() { return user_folder("XDG_STATE_HOME", ".local/state", "state"); }
fs::path data_folder() { return user_folder("XDG_DATA_HOME", ".local/share", "data"); }

}  // namespace orrery
