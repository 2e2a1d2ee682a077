/// Whole files: reading with a size limit, and atomic writing (no reader ever sees half a file).
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>

namespace orrery {

/// The purpose of a file and its size limit.
struct FileKind {
  std::string_view name;  ///< "a world"
  std::uint64_t most_bytes;
  bool is_text = true;  ///< text files have no byte 0; a file that has one is refused after its first block
};
inline constexpr FileKind small_text{"a text", std::uint64_t{16} << 20};

/// Handling of a symbolic link at the name of a file. In a folder shared with others, it could lead anywhere.
enum class Links {
  followed,
  distrusted  ///< not read; replaced by a written file, like all but regular files
};

/// The content of a regular file. Throws a usage Error that names the path and the reason.
/// Folders, pipes and devices are refused at once, files above the limit before they are
/// read.
std::string read_file(const std::filesystem::path& path, const FileKind& kind = small_text,
                      Links links = Links::followed);
/// Called with the finished share from time to time; an exception ends the reading, or the writing without leaving a
/// file.
using FileProgress = std::function<void(double)>;

/// A regular file that is read in pieces, from its beginning: for large files. Throws like read_file(). One thread at a
/// time.
class InputFile {
 public:
  explicit InputFile(const std::filesystem::path& path, const FileKind& kind, Links links = Links::followed);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  /// The size of the file at opening, as reported by the system.
  std::uint64_t bytes() const;
  /// The next `count` bytes, fewer only at the end; valid until the next call.
  std::string_view read(std::size_t count);
  /// Moves the next read to that byte.
  void seek(std::uint64_t offset);
  /// Throws a usage Error if the file has changed since it was opened.
  void confirm_unchanged() const;

 private:
  class Source;
  std::unique_ptr<Source> source_;
};

/// Random access to bytes: `count` bytes from `at`, fewer at the end; valid until the next call.
struct ByteSource {
  std::uint64_t bytes = 0;
  std::function<std::string_view(std::uint64_t at, std::size_t count)> read;
};
/// The bytes of a file, or bytes in memory; both outlive the source.
ByteSource byte_source(InputFile& file);
ByteSource byte_source(std::string_view bytes);

/// The first bytes of a regular file, for readers of beginnings.
std::string read_beginning(const std::filesystem::path& path, std::uint64_t bytes);

/// A file that is being written: beside its final place first, and renamed by finish() after flushing to disk. Without
/// finish() the old file stays, and nothing is left behind. The new file inherits the permissions of the old one; a
/// symbolic link stays, and its target is replaced. Anything but a regular file (/dev/stdout, a pipe) is written
/// directly. One thread at a time.
class OutputFile {
 public:
  /// Throws an Error that names `path` and the reason.
  explicit OutputFile(const std::filesystem::path& path, Links links = Links::followed);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  std::ostream& stream();
  /// Replaces stream(): the closed, unfinished file for another program to write. Throws an Error if `path` is written
  /// directly.
  std::filesystem::path hand_over();
  /// Throws an Error if not all data could be written. Call once.
  void finish();

 private:
  class Target;
  std::unique_ptr<Target> target_;
};

/// Writes a whole OutputFile.
void write_file(const std::filesystem::path& path, const std::function<void(std::ostream&)>& write,
                Links links = Links::followed);
void write_file(const std::filesystem::path& path, std::string_view bytes, Links links = Links::followed);

}  // namespace orrery
