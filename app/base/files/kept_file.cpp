#include "base/files/kept_file.hpp"

#include <chrono>
#include <thread>

#ifndef _WIN32
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>
#endif

#include "base/clock.hpp"
#include "base/files/file.hpp"

namespace orrery {
namespace fs = std::filesystem;

// The output is begun and discarded; the existing file stays.
void check_can_write(const fs::path& path) { const OutputFile begun(path); }

std::string set_aside(const fs::path& path) {
  fs::path aside = path;
  aside += ".broken";
  std::error_code error;
  fs::rename(path, aside, error);
  return error ? "it cannot be set aside either: " + error.message() : "set aside as " + aside.string();
}

#ifdef _WIN32

FileLock::FileLock(const fs::path&, double) {}
FileLock::~FileLock() = default;

#else

// The lock is on a file of its own, because a rename replaces the guarded file.
FileLock::FileLock(const fs::path& path, double seconds) {
  const double began = now_seconds();
  descriptor_ = ::open((path.string() + ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (descriptor_ < 0) return;
  while (!(held_ = ::flock(descriptor_, LOCK_EX | LOCK_NB) == 0) && now_seconds() - began < seconds)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
}

FileLock::~FileLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

#endif

}  // namespace orrery
