/// A temporary file beside its final name, readable only by the owner, and removed unless it is renamed, however the
/// process ends (except by SIGKILL).
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>

namespace orrery {

/// Any thread.
class UnfinishedFile {
 public:
  /// Registers a file that was just created.
  explicit UnfinishedFile(std::filesystem::path path);
  /// Creates an empty file at name_beside(`target`), and never opens an existing one. Throws Error.
  static UnfinishedFile beside(const std::filesystem::path& target);
  ~UnfinishedFile();
  UnfinishedFile(const UnfinishedFile&) = delete;
  UnfinishedFile& operator=(const UnfinishedFile&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  std::optional<std::size_t> place_;  // index in the list of files that a signal removes
};

/// TARGET.PID-n.part, a different name at each call.
std::filesystem::path name_beside(const std::filesystem::path& target);

/// Removes all unfinished files of the process, even if threads are still writing them. May be called in a signal
/// handler.
void remove_unfinished_files();

}  // namespace orrery
