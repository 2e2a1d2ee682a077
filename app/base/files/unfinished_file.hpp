/// A temporary file beside its final name, readable only by the owner, and removed unless it is renamed, however the
/// process ends (except by SIGKILL).
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string_view>

namespace orrery {

/// Any thread.
class UnfinishedFile {
 public:
  /// Lets `create` make the file; if it returns false, there is none.
  UnfinishedFile(std::filesystem::path path, const std::function<bool()>& create);
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

/// Removes leftovers of killed processes: unfinished files of `target`, or those in a folder whose names begin so.
/// Files that other machines' processes are writing stay.
void remove_debris_of(const std::filesystem::path& target);
void remove_debris_in(const std::filesystem::path& folder, std::string_view beginning = {});

/// Removes all unfinished files of the process, even if threads are still writing them, and waits a moment for one that
/// is being created. May be called in a signal handler.
void remove_unfinished_files();

}  // namespace orrery
