#include "compute/device/driver_cache.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <optional>
#include <string>

#include "base/files/path.hpp"
#include "base/log.hpp"

namespace orrery {

namespace fs = std::filesystem;
namespace {

constexpr double needed = 8 << 20;  // bytes: PoCL's kernels of one scene, and a reserve
constexpr std::string_view own_name = "orrery-driver-cache-";

// The test also detects an exhausted quota, which the free space does not show.
bool has_room(const fs::path& folder) {
  std::error_code error;
  if (const auto space = fs::space(folder, error); !error && static_cast<double>(space.available) < needed)
    return false;
  const std::string probe = (folder / (".orrery-probe-" + std::to_string(::getpid()))).string();
  const int descriptor = ::open(probe.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (descriptor < 0) return false;
  ::unlink(probe.c_str());
  const std::string bytes(1 << 16, '.');
  const bool written = ::write(descriptor, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size());
  ::close(descriptor);
  return written;
}

// Drivers run the files in this folder, so only this user may be able to write there.
bool is_ours_alone(const fs::path& folder) {
  struct stat found {};
  if (::lstat(folder.c_str(), &found) != 0 || !S_ISDIR(found.st_mode) || found.st_uid != ::geteuid()) return false;
  if ((found.st_mode & 077) == 0) return (found.st_mode & 0700) == 0700;
  const bool only_seen = (found.st_mode & 022) == 0;
  return only_seen && ::chmod(folder.c_str(), 0700) == 0;
}

fs::path folder_to_remove;
pid_t who_removes = -1;

// A folder for this process alone, removed at its end.
std::optional<fs::path> passing_folder(const fs::path& place) {
  std::string name = (place / (std::string(own_name) + "XXXXXX")).string();
  if (::mkdtemp(name.data()) == nullptr) return std::nullopt;
  folder_to_remove = name;
  who_removes = ::getpid();
  std::atexit([] {
    std::error_code ignored;
    if (::getpid() == who_removes) fs::remove_all(folder_to_remove, ignored);
  });
  return name;
}

std::optional<fs::path> folder_in(const fs::path& place) {
  const fs::path folder = place / (std::string(own_name) + std::to_string(::getuid()));
  if (::mkdir(folder.c_str(), 0700) == 0 && ::chmod(folder.c_str(), 0700) == 0)
    return folder;  // independent of the umask
  if (errno == EEXIST && is_ours_alone(folder)) return folder;
  return passing_folder(place);
}

}  // namespace

bool is_own_cache(std::string_view variable) {
  return variable.starts_with(std::string(cache_variable) + "=") && variable.find(own_name) != std::string_view::npos;
}

void give_drivers_a_cache() {
  const std::string variable(cache_variable);
  if (std::getenv(variable.c_str()) != nullptr) return;
  const fs::path own = cache_folder();
  const bool writable = !own.empty() && ::access(own.c_str(), W_OK) == 0;
  if (writable && has_room(own)) return;
  std::error_code error;
  const fs::path place = fs::temp_directory_path(error);
  const std::optional<fs::path> folder = !error && has_room(place) ? folder_in(place) : std::optional<fs::path>();
  if (folder) ::setenv(variable.c_str(), folder->c_str(), 1);
  if (!writable) return;
  log(Level::warning, "the disk of " + own.string() + " is full" +
                          (folder ? "; compiled kernels go to " + folder->string()
                                  : ", and so is that of " + place.string() + ": drivers may fail to compile kernels"));
}

}  // namespace orrery
