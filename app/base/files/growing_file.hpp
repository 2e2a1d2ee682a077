/// A file that grows under its final name, by lines of text or other parts. After a crash, at most the last part is
/// incomplete.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "base/platform/file.hpp"

namespace orrery {

/// One thread at a time. A power cut loses at most the last few seconds.
class GrowingFile {
 public:
  /// Replaces the file by one that contains `begin`, like write_file(). Throws Error.
  GrowingFile(const std::filesystem::path& path, std::string_view begin);
  /// Continues a file after its first `size` bytes; removes the rest. Throws Error.
  GrowingFile(const std::filesystem::path& path, std::int64_t size);

  /// Appends a whole part. Throws an Error, and appends nothing, if not all of it can be written.
  void append(std::string_view part);
  /// Throws an Error if the parts are not on disk, or the file was removed or replaced.
  void finish();

 private:
  std::filesystem::path path_;
  platform::Descriptor file_;
  std::int64_t size_ = 0;
  double synchronised_ = 0;  // the time of the last synchronisation
};

}  // namespace orrery
