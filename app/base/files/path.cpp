#include "base/files/path.hpp"

#include <cstdlib>
#include <mutex>
#include <set>
#include <vector>

#include "base/error.hpp"
#include "base/files/folder.hpp"
#include "base/files/unfinished_file.hpp"
#include "base/platform/folders.hpp"
#include "base/platform/process.hpp"

namespace orrery {
namespace fs = std::filesystem;
namespace {

fs::path environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? fs::path() : fs::path(value);
}

fs::path find_home() {
  const fs::path executable = executable_folder();
  std::vector<fs::path> places = {environment("ORRERY_HOME"), executable, executable / ".." / "share" / "orrery"};
#ifdef ORRERY_SOURCE_DIR
  places.emplace_back(ORRERY_SOURCE_DIR);
#endif
  std::error_code ignored;
  for (const fs::path& place : places)
    if (!place.empty() && fs::is_directory(place / "kernels", ignored) && fs::is_directory(place / "shaders", ignored))
      return fs::weakly_canonical(place);
  throw failure("cannot find the folders kernels/ and shaders/", "set ORRERY_HOME to the folder that contains them");
}

// Only the user may read and write there, whatever the umask, because these folders decide which drivers and kernels
// run.
std::error_code make_private(const fs::path& folder) {
  std::error_code error;
  if (folder.empty() || fs::is_directory(folder, error)) return {};
  if (const std::error_code above = make_private(folder.parent_path())) return above;
  error.clear();
  if (fs::create_directory(folder, error)) fs::permissions(folder, fs::perms::owner_all, error);
  return error;
}

fs::path made(const fs::path& folder) {
  if (folder.empty() || make_private(folder)) return {};
  static std::mutex mutex;
  static std::set<fs::path> tidied;
  const std::lock_guard lock(mutex);
  if (tidied.insert(folder).second) remove_debris_in(folder);
  return folder;
}

}  // namespace

fs::path executable_folder() { return platform::program_folder(); }

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

fs::path user_home() { return platform::user_home(); }

const fs::path& pictures_folder() {
  static const fs::path found = find_pictures_folder();
  return found;
}

fs::path find_pictures_folder() {
  const fs::path home = user_home();
  fs::path pictures = platform::user_pictures();
  std::error_code ignored;
  if (pictures.empty() && fs::is_directory(home / "Pictures", ignored)) pictures = home / "Pictures";
  return (pictures.empty() ? home : pictures) / "Orrery";
}

fs::path among_pictures(std::string_view typed) {
  if (typed.empty()) return {};
  return typed_path(typed, pictures_folder());
}

fs::path cache_folder() { return made(platform::user_cache()); }
fs::path state_folder() { return made(platform::user_state()); }
fs::path data_folder() { return made(platform::user_data()); }

}  // namespace orrery
