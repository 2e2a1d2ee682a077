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

/// What a symbolic link at the name of a file is worth. In a folder that others write to, it could lead anywhere.
enum class Links {
  followed,
  distrusted  ///< not read; replaced by what is written there, as anything but a regular file is
};

/// The content of a regular file. Throws a usage Error that names the path and the reason.
/// Folders, pipes and devices are refused at once, files above the limit before they are
/// read.
std::string read_file(const std::filesystem::path& path, const FileKind& kind = small_text,
                      Links links = Links::followed);
/// Told the share that is done, now and then; what it throws ends the reading, or the writing without a trace of it.
using FileProgress = std::function<void(double)>;

/// A regular file that is read in pieces, from its beginning: for files that would fill the memory twice. Throws as
/// read_file() does. One thread at a time.
class InputFile {
 public:
  explicit InputFile(const std::filesystem::path& path, const FileKind& kind, Links links = Links::followed);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  /// The size of the file when it was opened, as the system tells it.
  std::uint64_t bytes() const;
  /// The next `count` bytes, fewer only at the end, which stay valid until the next call.
  std::string_view read(std::size_t count);
  /// The next read begins at that byte.
  void seek(std::uint64_t offset);
  /// Throws a usage Error where the file has been written since it was opened: the pieces may not belong together.
  void confirm_unchanged() const;

 private:
  class Source;
  std::unique_ptr<Source> source_;
};

/// Random access to bytes: `count` of them from `at` on, fewer at their end, which stay valid until the next call.
struct ByteSource {
  std::uint64_t bytes = 0;
  std::function<std::string_view(std::uint64_t at, std::size_t count)> read;
};
/// The bytes of a file, or bytes in memory; both outlive the source.
ByteSource byte_source(InputFile& file);
ByteSource byte_source(std::string_view bytes);

/// The first bytes of a regular file, for readers that need no more.
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
  /// Instead of stream(): the unfinished file, closed, for another program to write. Throws an Error where `path` is
  /// written directly.
  std::filesystem::path hand_over();
  /// Throws an Error if not all data could be written. To be called once.
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
