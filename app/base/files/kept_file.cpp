#include "base/files/kept_file.hpp"

#include <chrono>
#include <thread>

#include "base/clock.hpp"
#include "base/files/file.hpp"
#include "base/files/unfinished_file.hpp"

namespace orrery {
namespace fs = std::filesystem;

// The output is begun and discarded; the existing file stays.
void check_can_write(const fs::path& path) {
  remove_debris_of(path);
  const OutputFile begun(path);
}

std::string set_aside(const fs::path& path) {
  fs::path aside = path;
  aside += ".broken";
  std::error_code error;
  fs::rename(path, aside, error);
  return error ? "it cannot be set aside either: " + error.message() : "set aside as " + aside.string();
}

// The lock is on a file of its own, because a rename replaces the guarded file.
FileLock::FileLock(const fs::path& path, double seconds) : file_(platform::open_or_create(path.string() + ".lock")) {
  const double began = now_seconds();
  if (!file_) return;
  while (!(held_ = platform::try_lock(file_)) && now_seconds() - began < seconds)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
}

}  // namespace orrery
