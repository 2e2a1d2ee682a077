#include "base/platform/folders.hpp"

#include "base/platform/windows/system.hpp"

#include <shlobj.h>

namespace orrery::platform {
namespace fs = std::filesystem;
namespace {

fs::path known_folder(const KNOWNFOLDERID& which) {
  PWSTR known = nullptr;
  fs::path folder;
  if (SUCCEEDED(SHGetKnownFolderPath(which, 0, nullptr, &known))) folder = known;
  CoTaskMemFree(known);
  return folder;
}

fs::path own_folder(const char* name) {
  const fs::path local = known_folder(FOLDERID_LocalAppData);
  return local.empty() ? fs::path() : local / "orrery" / name;
}

}  // namespace

fs::path user_home() { return known_folder(FOLDERID_Profile); }
fs::path user_cache() { return own_folder("cache"); }
fs::path user_state() { return own_folder("state"); }
fs::path user_data() { return own_folder("data"); }
fs::path user_pictures() { return known_folder(FOLDERID_Pictures); }

std::vector<fs::path> volumes() {
  std::vector<fs::path> roots;
  const DWORD drives = GetLogicalDrives();
  for (int k = 0; k < 26; ++k)
    if ((drives >> k & 1U) != 0) roots.emplace_back(std::string{static_cast<char>('A' + k), ':', '\\'});
  return roots;
}

fs::path opencl_drivers() { return {}; }

}  // namespace orrery::platform
