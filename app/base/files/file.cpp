#include "base/files/file.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>
#include <optional>
#include <streambuf>
#include <utility>
#include <vector>

#ifdef _WIN32
#include <fstream>
#else
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

#include "base/error.hpp"
#include "base/files/unfinished_file.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"

namespace orrery {
namespace fs = std::filesystem;
namespace {

Error unreadable(const fs::path& path, const std::string& reason) {
  return usage_error("cannot read " + in_quotes(path.string()) + ": " + reason, {}, {});
}

Error unwritable(const fs::path& path, const std::string& reason) {
  return {Fault::failure, {"cannot write", path.string(), {}, {}, reason, {}}};
}

std::string reason_of(int error) { return error != 0 ? std::strerror(error) : "the disk is full or was removed"; }

// ---- reading

const char* name_of(fs::file_type type) {
  switch (type) {
    case fs::file_type::directory:
      return "a folder";
    case fs::file_type::fifo:
      return "a pipe";
    case fs::file_type::socket:
      return "a socket";
    case fs::file_type::character:
    case fs::file_type::block:
      return "a device";
    default:
      return "no regular file";
  }
}

Error not_regular(const fs::path& path, fs::file_type type) {
  return unreadable(path, std::string("it is ") + name_of(type) + ", not a regular file");
}

#ifdef _WIN32

/// A regular file that is being read.
class Input {
 public:
  explicit Input(const fs::path& path) : path_(path) {
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (fs::exists(status) && !fs::is_regular_file(status)) throw not_regular(path, status.type());
    stream_.open(path, std::ios::binary);
    if (!stream_) throw unreadable(path, std::strerror(errno));
    bytes_ = fs::file_size(path, error);
    written_ = fs::last_write_time(path, error);
  }
  std::uint64_t bytes() const { return bytes_; }
  bool unchanged() const {
    std::error_code error;
    return fs::file_size(path_, error) == bytes_ && fs::last_write_time(path_, error) == written_;
  }
  std::size_t read(char* into, std::size_t most) {
    stream_.read(into, static_cast<std::streamsize>(most));
    if (stream_.bad()) throw unreadable(path_, std::strerror(errno));
    return static_cast<std::size_t>(stream_.gcount());
  }

 private:
  fs::path path_;
  std::ifstream stream_;
  std::uint64_t bytes_ = 0;
  fs::file_time_type written_;
};

#else

fs::file_type type_of(mode_t mode) {
  if (S_ISREG(mode)) return fs::file_type::regular;
  if (S_ISDIR(mode)) return fs::file_type::directory;
  if (S_ISFIFO(mode)) return fs::file_type::fifo;
  if (S_ISSOCK(mode)) return fs::file_type::socket;
  return S_ISBLK(mode) ? fs::file_type::block : fs::file_type::character;
}

/// A regular file that is being read. It is opened first and examined then, so that it cannot be exchanged in between;
/// O_NONBLOCK keeps pipes and devices from blocking.
class Input {
 public:
  explicit Input(const fs::path& path) : path_(path) {
    descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    const int reason = errno;
    struct stat status {};
    if (descriptor_ < 0) {
      // open() itself fails for sockets and for devices without a driver.
      if (::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode))
        throw not_regular(path, type_of(status.st_mode));
      throw unreadable(path, std::strerror(reason));
    }
    const bool known = ::fstat(descriptor_, &status) == 0;
    if (known && S_ISREG(status.st_mode)) {
      opened_ = status;
      return;
    }
    ::close(descriptor_);
    throw known ? not_regular(path, type_of(status.st_mode)) : unreadable(path, std::strerror(errno));
  }
  ~Input() { ::close(descriptor_); }
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;

  /// The size reported by the system; files in /proc report 0, and other files may still grow.
  std::uint64_t bytes() const { return static_cast<std::uint64_t>(opened_.st_size); }
  bool unchanged() const {
    struct stat now {};
    return ::fstat(descriptor_, &now) == 0 && now.st_size == opened_.st_size &&
           now.st_mtim.tv_sec == opened_.st_mtim.tv_sec && now.st_mtim.tv_nsec == opened_.st_mtim.tv_nsec;
  }
  /// 0 at the end.
  std::size_t read(char* into, std::size_t most) {
    for (;;) {
      const ssize_t count = ::read(descriptor_, into, most);
      if (count >= 0) return static_cast<std::size_t>(count);
      if (errno != EINTR) throw unreadable(path_, std::strerror(errno));
    }
  }

 private:
  fs::path path_;
  int descriptor_ = -1;
  struct stat opened_ {};
};

#endif

// The first `most` bytes of the file, or all of it; the first block is checked before memory for the rest is allocated.
std::string read_up_to(Input& input, std::uint64_t most, const std::function<void(std::string_view)>& look) {
  constexpr std::size_t block = 1 << 16;
  std::string bytes(static_cast<std::size_t>(std::min<std::uint64_t>(block, most)), '\0');
  std::size_t size = 0;
  bool looked = false;
  for (;;) {
    const std::size_t count = input.read(bytes.data() + size, bytes.size() - size);
    size += count;
    if (count == 0 || size == most) break;
    if (!std::exchange(looked, true)) look(std::string_view(bytes).substr(0, size));
    if (size < bytes.size()) continue;
    const std::uint64_t wanted = std::max<std::uint64_t>(input.bytes() + 1, 2 * std::uint64_t{size});
    bytes.resize(static_cast<std::size_t>(std::min(wanted, most)));
  }
  bytes.resize(size);
  if (!looked) look(bytes);
  return bytes;
}

// ---- writing

}  // namespace

namespace {

Error too_large(const fs::path& path, const FileKind& kind, const std::string& size) {
  return usage_error(in_quotes(path.string()) + " is too large for " + std::string(kind.name), {},
                     "at most " + bytes_text(static_cast<double>(kind.most_bytes)) + " can be read" + size);
}

void check_size(const Input& input, const fs::path& path, const FileKind& kind) {
  if (input.bytes() > kind.most_bytes)
    throw too_large(path, kind, "; the file has " + bytes_text(static_cast<double>(input.bytes())));
}

}  // namespace

class InputFile::Source {
 public:
  Source(const fs::path& path, const FileKind& kind) : path_(path), input_(path) { check_size(input_, path, kind); }

  void confirm_unchanged() const {
    if (!input_.unchanged()) throw unreadable(path_, "it was changed while it was read");
  }

  std::uint64_t bytes() const { return input_.bytes(); }
  std::string_view read(std::size_t count) {
    buffer_.resize(count);
    std::size_t size = 0;
    while (size < count) {
      const std::size_t more = input_.read(buffer_.data() + size, count - size);
      if (more == 0) break;
      size += more;
    }
    return {buffer_.data(), size};
  }

 private:
  fs::path path_;
  Input input_;
  std::vector<char> buffer_;
};

InputFile::InputFile(const fs::path& path, const FileKind& kind) : source_(std::make_unique<Source>(path, kind)) {}
InputFile::~InputFile() = default;
std::uint64_t InputFile::bytes() const { return source_->bytes(); }
std::string_view InputFile::read(std::size_t count) { return source_->read(count); }
void InputFile::confirm_unchanged() const { source_->confirm_unchanged(); }

std::string read_file(const fs::path& path, const FileKind& kind) {
  try {
    Input input(path);
    check_size(input, path, kind);
    std::string bytes = read_up_to(input, kind.most_bytes + 1, [&](std::string_view first) {
      if (const std::size_t zero = first.find('\0'); kind.is_text && zero != first.npos)
        throw usage_error(in_quotes(path.string()) + " is not a text file", {},
                          "byte " + std::to_string(zero) + " is 0");
    });
    if (bytes.size() > kind.most_bytes) throw too_large(path, kind, {});
    return bytes;
  } catch (const std::bad_alloc&) {
    throw failure("out of memory reading " + path.string());
  }
}

std::string read_beginning(const fs::path& path, std::uint64_t bytes) {
  Input input(path);
  return read_up_to(input, bytes, [](std::string_view) {});
}

namespace {

/// A stream buffer over a C file that remembers the first error.
class FileBuffer : public std::streambuf {
 public:
  explicit FileBuffer(std::FILE* file) : file_(file) {
    constexpr std::size_t block = 1 << 16;
    std::setvbuf(file_, nullptr, _IOFBF, block);
  }
  ~FileBuffer() override {
    if (file_ != nullptr) std::fclose(file_);
  }

  /// The errno of the first failure, or 0 if unknown.
  int error() const { return error_; }
  bool failed() const { return failed_; }

  void flush_to_disk() {
    note(std::fflush(file_) == 0);
#ifndef _WIN32
    // Without this, a power cut after the rename can leave an empty file under the final name. Not all file systems
    // can.
    if (::fsync(::fileno(file_)) != 0 && errno != EINVAL && errno != EROFS && errno != ENOTSUP) note(false);
#endif
  }
  void close() { note(std::fclose(std::exchange(file_, nullptr)) == 0); }

 protected:
  int_type overflow(int_type character) override {
    if (traits_type::eq_int_type(character, traits_type::eof())) return traits_type::not_eof(character);
    return note(std::fputc(traits_type::to_char_type(character), file_) != EOF) ? character : traits_type::eof();
  }
  std::streamsize xsputn(const char* bytes, std::streamsize count) override {
    const std::size_t written = std::fwrite(bytes, 1, static_cast<std::size_t>(count), file_);
    note(written == static_cast<std::size_t>(count));
    return static_cast<std::streamsize>(written);
  }
  int sync() override { return note(std::fflush(file_) == 0) ? 0 : -1; }

 private:
  bool note(bool done) {
    if (!done && !std::exchange(failed_, true)) error_ = errno;
    return done;
  }

  std::FILE* file_;
  int error_ = 0;
  bool failed_ = false;
};

#ifdef _WIN32

/// The target of a path.
struct Destination {
  fs::path file;
  bool direct = false;
};

Destination destination_of(const fs::path& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) throw unwritable(path, "it is a folder");
  return {fs::exists(path, ignored) ? fs::canonical(path, ignored) : path};
}

std::FILE* open_directly(const Destination& destination) { return ::_wfopen(destination.file.c_str(), L"wb"); }

std::FILE* open_beside(const Destination&, const fs::path& temporary) { return ::_wfopen(temporary.c_str(), L"wb"); }

#else

/// The target of a path.
struct Destination {
  fs::path file;          ///< after all symbolic links
  struct stat before {};  ///< of the existing file
  bool exists = false;
  bool direct = false;  ///< not a regular file: written directly
  int descriptor = -1;  ///< an open descriptor of this process that the path names: /dev/stdout
};

// "/dev/fd/1", the target of "/dev/stdout". Opening it by name would write a redirected output from its beginning.
std::optional<int> own_descriptor(const fs::path& path) {
  const fs::path folder = path.parent_path();
  if (folder != "/proc/self/fd" && folder != "/dev/fd") return std::nullopt;
  const auto number = parse_integer(path.filename().string());
  return number && *number >= 0 && *number < 1 << 20 ? std::optional(static_cast<int>(*number)) : std::nullopt;
}

Destination destination_of(const fs::path& path) {
  constexpr int most_links = 40;
  Destination destination{.file = path};
  for (int links = 0;; ++links) {
    fs::path& file = destination.file;
    if (const auto descriptor = own_descriptor(file)) {
      destination.descriptor = *descriptor;
      destination.direct = true;
      return destination;
    }
    std::error_code error;
    if (!fs::is_symlink(fs::symlink_status(file, error))) break;
    if (links == most_links) throw unwritable(path, std::strerror(ELOOP));
    const fs::path target = fs::read_symlink(file, error);
    if (error) throw unwritable(path, error.message());
    file = target.is_absolute() ? target : file.parent_path() / target;
  }
  destination.exists = ::stat(destination.file.c_str(), &destination.before) == 0;
  if (!destination.exists) return destination;
  if (S_ISDIR(destination.before.st_mode)) throw unwritable(path, "it is a folder");
  if (::access(destination.file.c_str(), W_OK) != 0) throw unwritable(path, std::strerror(errno));
  destination.direct = !S_ISREG(destination.before.st_mode);
  return destination;
}

std::FILE* stream_of(int descriptor) {
  if (descriptor < 0) return nullptr;
  std::FILE* file = ::fdopen(descriptor, "wb");
  if (file == nullptr) ::close(descriptor);
  return file;
}

std::FILE* open_directly(const Destination& destination) {
  if (destination.descriptor >= 0) {
    std::fflush(stdout);
    return stream_of(::fcntl(destination.descriptor, F_DUPFD_CLOEXEC, 3));
  }
  // Without O_NONBLOCK, opening a pipe without a reader would block; with it, open() reports an error.
  const int descriptor = ::open(destination.file.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (descriptor >= 0) ::fcntl(descriptor, F_SETFL, ::fcntl(descriptor, F_GETFL) & ~O_NONBLOCK);
  return stream_of(descriptor);
}

// Only the owner can read the file until it has the permissions of the old file; an unknown group gets none.
void take_over_permissions(int descriptor, const struct stat& before) {
  mode_t mode = before.st_mode & 0777U;
  const bool kept = ::fchown(descriptor, before.st_uid, before.st_gid) == 0 ||
                    ::fchown(descriptor, static_cast<uid_t>(-1), before.st_gid) == 0;
  if (!kept) mode &= ~static_cast<mode_t>(070U);
  if (::fchmod(descriptor, mode) != 0) return;  // a file system without permissions
}

std::FILE* open_beside(const Destination& destination, const fs::path& temporary) {
  const int descriptor =
      ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, destination.exists ? 0600 : 0666);
  if (descriptor >= 0 && destination.exists) take_over_permissions(descriptor, destination.before);
  return stream_of(descriptor);
}

#endif

}  // namespace

class OutputFile::Target {
 public:
  explicit Target(const fs::path& path) : path_(path), destination_(destination_of(path)) {
    if (!destination_.direct) open_temporary();
  }

  // A pipe is opened only when there is data, because its reader takes the first close for the end.
  std::ostream& stream() {
    if (!buffer_) start(open_directly(destination_));
    return stream_;
  }

  void finish() {
    stream();
    stream_.flush();
    if (!buffer_->failed()) buffer_->flush_to_disk();
    buffer_->close();
    if (buffer_->failed() || !stream_) throw unwritable(path_, reason_of(buffer_->error()));
    if (!temporary_) return;
    std::error_code error;
    fs::rename(temporary_->path(), destination_.file, error);
    if (error) throw unwritable(path_, error.message());
  }

 private:
  // An earlier process with the same number may have left this file behind.
  void open_temporary() {
    constexpr int most_attempts = 100;
    for (int attempt = 1;; ++attempt) {
      const fs::path beside_it = name_beside(destination_.file);
      errno = 0;
      std::FILE* file = open_beside(destination_, beside_it);
      if (file == nullptr && errno == EEXIST && attempt < most_attempts) continue;
      if (file != nullptr) temporary_.emplace(beside_it);
      return start(file);
    }
  }

  void start(std::FILE* file) {
    if (file == nullptr) throw unwritable(path_, errno == ENXIO ? "no process reads this pipe" : std::strerror(errno));
    buffer_ = std::make_unique<FileBuffer>(file);
    stream_.rdbuf(buffer_.get());
  }

  fs::path path_;  // as it was given
  Destination destination_;
  std::optional<UnfinishedFile> temporary_;
  std::unique_ptr<FileBuffer> buffer_;
  std::ostream stream_{nullptr};
};

OutputFile::OutputFile(const fs::path& path) : target_(std::make_unique<Target>(path)) {}
OutputFile::~OutputFile() = default;
std::ostream& OutputFile::stream() { return target_->stream(); }
void OutputFile::finish() { target_->finish(); }

void write_file(const fs::path& path, const std::function<void(std::ostream&)>& write) {
  OutputFile file(path);
  write(file.stream());
  file.finish();
}

void write_file(const fs::path& path, std::string_view bytes) {
  write_file(path,
             [&](std::ostream& stream) { stream.write(bytes.data(), static_cast<std::streamsize>(bytes.size())); });
}

}  // namespace orrery
