/// Whole files: read, and written so that a reader never meets half of one.
#pragma once

#include <filesystem>
#include <functional>
#include <ostream>
#include <string>
#include <string_view>

namespace orrery {

/// Throws a usage Error (the path was somebody's input) that names the path and the reason.
std::string read_file(const std::filesystem::path& path);

/// Writes beside `path`, flushes to disk, then renames. On any failure `path` is untouched, nothing is left behind,
/// and an Error says why.
void write_file(const std::filesystem::path& path, const std::function<void(std::ostream&)>& write);
void write_file(const std::filesystem::path& path, std::string_view bytes);

/// A file that is nobody's until it has been renamed: removed otherwise. Any thread.
class UnfinishedFile {
 public:
  explicit UnfinishedFile(std::filesystem::path path);
  ~UnfinishedFile();
  UnfinishedFile(const UnfinishedFile&) = delete;
  UnfinishedFile& operator=(const UnfinishedFile&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// For a process that ends while threads are at work on them: those that never become whole.
void remove_unfinished_files();

}  // namespace orrery
