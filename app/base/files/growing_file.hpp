/// A text file that grows under its final name: it always contains whole lines, however the process
/// ends.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "base/platform/file.hpp"

namespace orrery {

/// One thread at a time. A power cut loses at most the last few seconds.
class GrowingFile {
 public:
  /// Replaces the file by one that contains `begin`, as write_file() does. Throws Error.
  GrowingFile(const std::filesystem::path& path, std::string_view begin);

  /// Appends whole lines. Throws an Error, and appends nothing, if not all of them can be written.
  void append(std::string_view lines);
  /// Throws an Error if the lines are not on disk, or the file was removed or replaced.
  void finish();

 private:
  std::filesystem::path path_;
  platform::Descriptor file_;
  std::int64_t size_ = 0;
  double synchronised_ = 0;  // the time of the last synchronisation
};

}  // namespace orrery
