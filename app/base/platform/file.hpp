/// File functions of the operating system. An empty Descriptor, false or a negative count means failure; errno has the
/// cause. Any thread.
#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

namespace orrery::platform {

/// A file descriptor of the C library, closed by the destructor.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() { reset(); }
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }

  explicit operator bool() const { return number_ >= 0; }
  int number() const { return number_; }
  void reset();
  /// A stream that owns the descriptor; nullptr if that fails.
  std::FILE* stream() &&;

 private:
  int number_ = -1;
};

struct FileStatus {
  std::filesystem::file_type type = std::filesystem::file_type::unknown;
  std::uint64_t bytes = 0;    ///< files in /proc report 0
  std::int64_t modified = 0;  ///< last change of its content, in system units
  bool operator==(const FileStatus&) const = default;
};

/// Never blocks: also opens a pipe without a writer. The status tells the kind of file.
Descriptor open_to_read(const std::filesystem::path& path, bool follows_link = true);
Descriptor open_to_append(const std::filesystem::path& path);
/// Opened for writing; made if it is missing, readable only by the owner.
Descriptor open_or_create(const std::filesystem::path& path);
/// Fails with EEXIST for an existing file or link. On Windows, the file can be removed while it is open.
Descriptor create_new(const std::filesystem::path& path, bool only_for_owner = false);

std::optional<FileStatus> status_of(const Descriptor& file);
/// True if this name refers to the open file.
bool is_named(const Descriptor& file, const std::filesystem::path& path);
/// At most `most` bytes; 0 at the end.
std::int64_t read_some(const Descriptor& file, void* into, std::size_t most);
/// Moves the next read to this offset from the beginning.
bool seek(const Descriptor& file, std::uint64_t offset);
bool seek(std::FILE* file, std::uint64_t offset);
std::int64_t write_some(const Descriptor& file, const void* from, std::size_t size);
bool truncate(const Descriptor& file, std::int64_t size);
/// Waits until the file, or only its content, is on the disk. True for files that do not support it.
bool flush_to_disk(const Descriptor& file);
bool flush_to_disk(std::FILE* file);
bool flush_content_to_disk(const Descriptor& file);
/// Locks the file against other processes until it is closed, or fails at once.
bool try_lock(const Descriptor& file);
/// Marks the file by such a lock as being written, for other machines. No effect on Windows, where the lock would block
/// other writers.
void show_writer(const Descriptor& file);

/// The place to which a path leads, for writing a whole file there.
class Destination {
 public:
  /// Throws a std::runtime_error with the reason for a folder, or a file that may not be written. If links are not
  /// followed, all but regular files are replaced.
  explicit Destination(const std::filesystem::path& path, bool follows_links = true);

  const std::filesystem::path& file() const { return file_; }
  /// True for a file to be written in place, because it is not regular (/dev/stdout, a pipe).
  bool direct() const { return direct_; }
  /// nullptr with ENXIO for a pipe that no process reads.
  std::FILE* open_in_place() const;
  /// A new file beside it, with the permissions of the old one, which shows its writer; nullptr with EEXIST if it
  /// exists.
  std::FILE* open_beside(const std::filesystem::path& temporary) const;

 private:
  std::filesystem::path file_;
  bool exists_ = false;
  bool direct_ = false;
  int descriptor_ = -1;  // an open descriptor of this process that the path names: /dev/stdout
  struct Permissions {
    unsigned mode = 0, user = 0, group = 0;
  } before_;  // status of the existing file; unused on Windows, where the folder decides
};

/// Creates a unique folder PLACE/NAME-XXXXXX that only this user can access.
std::optional<std::filesystem::path> create_own_folder(const std::filesystem::path& place, const std::string& name);

}  // namespace orrery::platform
