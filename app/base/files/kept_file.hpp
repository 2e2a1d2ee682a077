/// Files that outlive a run: write checks, locks between processes, and renaming of damaged files.
#pragma once

#include <filesystem>
#include <string>

#include "base/platform/file.hpp"

namespace orrery {

/// Throws the Error that write_file() would throw (no such folder, no permission, a full disk), without writing.
/// Removes leftovers of killed processes.
void check_can_write(const std::filesystem::path& path);

/// Renames an unusable file of the program, so that its replacement destroys nothing. Returns a note for the message:
/// "set aside as …". Files named by the user must not be passed.
std::string set_aside(const std::filesystem::path& path);

/// A lock against other processes that change the same file, released by the destructor. Waits at most `seconds`, then
/// continues without the lock, so that no lock can block a program for ever.
class FileLock {
 public:
  explicit FileLock(const std::filesystem::path& path, double seconds = 2);
  bool held() const { return held_; }

 private:
  platform::Descriptor file_;
  bool held_ = false;
};

}  // namespace orrery
