/// A file under way to its name: made anew beside it, for nobody else, and removed unless it is renamed, whatever ends
/// the process short of SIGKILL.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>

namespace orrery {

/// Any thread.
class UnfinishedFile {
 public:
  /// Of a file that has just been made.
  explicit UnfinishedFile(std::filesystem::path path);
  /// Makes an empty one of the name_beside() `target`; never opens what is there. Throws Error.
  static UnfinishedFile beside(const std::filesystem::path& target);
  ~UnfinishedFile();
  UnfinishedFile(const UnfinishedFile&) = delete;
  UnfinishedFile& operator=(const UnfinishedFile&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  std::optional<std::size_t> place_;  // among those that a signal removes
};

/// TARGET.PID-n.part, another one at each call.
std::filesystem::path name_beside(const std::filesystem::path& target);

/// For a process that ends while threads are at work on them: those that never become whole. May be called in the
/// handler of a signal.
void remove_unfinished_files();

}  // namespace orrery
