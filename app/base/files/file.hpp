/// Whole files: read within a limit, and written so that a reader never meets half of one.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>

namespace orrery {

/// What a file is to its reader, and how much of it there may be.
struct FileKind {
  std::string_view name;  ///< "a world"
  std::uint64_t most_bytes;
  bool is_text = true;  ///< a text has no byte 0: what has one is refused after its first block
};
inline constexpr FileKind small_text{"a text", std::uint64_t{16} << 20};

/// The whole of a regular file. Throws a usage Error (the path was somebody's input) that names the path and the
/// reason: a folder, a pipe or a device, which may have no end, are refused at once; what is too large, before it is
/// read.
std::string read_file(const std::filesystem::path& path, const FileKind& kind = small_text);
/// The same of its first bytes, where no more of it counts.
std::string read_beginning(const std::filesystem::path& path, std::uint64_t bytes);

/// A file under way: written beside its place and renamed into it by finish(), which flushes to disk first; without
/// finish() the place is as it was, and nothing is left behind. A file that is replaced keeps its permissions; a
/// symbolic link stays, and the file that it leads to is replaced. What is no regular file (/dev/stdout, a pipe that
/// another process reads) is written directly. One thread at a time.
class OutputFile {
 public:
  /// Throws an Error that names `path` and the reason.
  explicit OutputFile(const std::filesystem::path& path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  std::ostream& stream();
  /// Throws an Error where not everything could be written. Once.
  void finish();

 private:
  class Target;
  std::unique_ptr<Target> target_;
};

/// An OutputFile from its beginning to its end.
void write_file(const std::filesystem::path& path, const std::function<void(std::ostream&)>& write);
void write_file(const std::filesystem::path& path, std::string_view bytes);

}  // namespace orrery
