/// A file of lines that grows under its own name while they come: at any moment it holds whole lines, whatever ends
/// the process.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

namespace orrery {

/// One thread at a time. What this machine loses with its power is the last few seconds.
class GrowingFile {
 public:
  /// Puts a file that holds `begin` in the place of what is there, as write_file() does. Throws Error.
  GrowingFile(const std::filesystem::path& path, std::string_view begin);
  ~GrowingFile();
  GrowingFile(const GrowingFile&) = delete;
  GrowingFile& operator=(const GrowingFile&) = delete;

  /// Whole lines. Throws Error when not all of them can be written; then none of them is.
  void append(std::string_view lines);
  /// Throws Error when they are not on disk, or not under that name any more.
  void finish();

 private:
  std::filesystem::path path_;
  int descriptor_ = -1;
  std::int64_t size_ = 0;
  double synchronised_ = 0;  // when it was
};

}  // namespace orrery
