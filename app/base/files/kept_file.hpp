/// Files that outlive a run: asked for, guarded against other processes, set aside when they are broken.
#pragma once

#include <filesystem>
#include <string>

namespace orrery {

/// Throws what write_file() would, before there is anything to write: no such folder, not ours, a full disk.
void check_can_write(const std::filesystem::path& path);

/// Renames a file of ours that cannot be used, so that what is written in its place destroys nothing. Returns what to
/// tell of it: "set aside as …". Never for a file that somebody named.
std::string set_aside(const std::filesystem::path& path);

/// Holds other processes that read, change and write the same file back, until it is destroyed. Waits for its turn, at
/// most `seconds`, then goes on without: a lock must not hold a program for ever.
class FileLock {
 public:
  explicit FileLock(const std::filesystem::path& path, double seconds = 2);
  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  bool held() const { return held_; }

 private:
  int descriptor_ = -1;
  bool held_ = false;
};

}  // namespace orrery
