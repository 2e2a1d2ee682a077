#include "base/files/file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>
#include <optional>
#include <stdexcept>
#include <streambuf>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/files/unfinished_file.hpp"
#include "base/platform/file.hpp"
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
    case fs::file_type::symlink:
      return "a symbolic link";
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

/// A regular file that is being read. It is opened before it is examined, so that it cannot be exchanged in between.
class Input {
 public:
  Input(const fs::path& path, Links links)
      : path_(path), file_(platform::open_to_read(path, links == Links::followed)) {
    const int reason = errno;
    if (!file_) {
      // Sockets, devices without a driver, and links that are not followed cannot be opened.
      std::error_code ignored;
      const fs::file_type type =
          (links == Links::followed ? fs::status(path, ignored) : fs::symlink_status(path, ignored)).type();
      const bool known =
          type != fs::file_type::none && type != fs::file_type::not_found && type != fs::file_type::unknown;
      if (known && type != fs::file_type::regular && type != fs::file_type::directory) throw not_regular(path, type);
      throw unreadable(path, std::strerror(reason));
    }
    const auto status = platform::status_of(file_);
    if (!status) throw unreadable(path, std::strerror(errno));
    if (status->type != fs::file_type::regular) throw not_regular(path, status->type);
    opened_ = *status;
  }

  /// The size reported by the system; files in /proc report 0, and other files may still grow.
  std::uint64_t bytes() const { return opened_.bytes; }
  bool unchanged() const { return platform::status_of(file_) == opened_; }
  void seek(std::uint64_t offset) {
    if (!platform::seek(file_, offset)) throw unreadable(path_, std::strerror(errno));
  }
  /// 0 at the end.
  std::size_t read(char* into, std::size_t most) {
    const std::int64_t count = platform::read_some(file_, into, most);
    if (count < 0) throw unreadable(path_, std::strerror(errno));
    return static_cast<std::size_t>(count);
  }

 private:
  fs::path path_;
  platform::Descriptor file_;
  platform::FileStatus opened_;
};

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
  Source(const fs::path& path, const FileKind& kind, Links links) : path_(path), input_(path, links) {
    check_size(input_, path, kind);
  }

  void confirm_unchanged() const {
    if (!input_.unchanged()) throw unreadable(path_, "it was changed while it was read");
  }

  std::uint64_t bytes() const { return input_.bytes(); }
  void seek(std::uint64_t offset) { input_.seek(offset); }
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

InputFile::InputFile(const fs::path& path, const FileKind& kind, Links links)
    : source_(std::make_unique<Source>(path, kind, links)) {}
InputFile::~InputFile() = default;
std::uint64_t InputFile::bytes() const { return source_->bytes(); }
std::string_view InputFile::read(std::size_t count) { return source_->read(count); }
void InputFile::seek(std::uint64_t offset) { source_->seek(offset); }
void InputFile::confirm_unchanged() const { source_->confirm_unchanged(); }

ByteSource byte_source(InputFile& file) {
  return {file.bytes(), [&file](std::uint64_t at, std::size_t count) {
            file.seek(at);
            return file.read(count);
          }};
}

ByteSource byte_source(std::string_view bytes) {
  return {bytes.size(), [bytes](std::uint64_t at, std::size_t count) {
            return at < bytes.size() ? bytes.substr(static_cast<std::size_t>(at), count) : std::string_view();
          }};
}

std::string read_file(const fs::path& path, const FileKind& kind, Links links) {
  try {
    Input input(path, links);
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
  Input input(path, Links::followed);
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
    // Without this, a power cut after the rename can leave an empty file under the final name.
    note(platform::flush_to_disk(file_));
  }
  void close() { note(std::fclose(std::exchange(file_, nullptr)) == 0); }

 protected:
  int_type overflow(int_type character) override {
    if (traits_type::eq_int_type(character, traits_type::eof())) return traits_type::not_eof(character);
    return note(std::fputc(traits_type::to_char_type(character), file_) != EOF) ? character : traits_type::eof();
  }
  std::streamsize xsputn(const char* bytes, std::streamsize count) override {
    if (count == 0) return 0;  // the pointer may be null
    const std::size_t written = std::fwrite(bytes, 1, static_cast<std::size_t>(count), file_);
    note(written == static_cast<std::size_t>(count));
    return static_cast<std::streamsize>(written);
  }
  int sync() override { return note(std::fflush(file_) == 0) ? 0 : -1; }
  // Seeks from the beginning only; fails for a pipe.
  pos_type seekpos(pos_type place, std::ios_base::openmode) override {
    return note(platform::seek(file_, static_cast<std::uint64_t>(std::streamoff(place)))) ? place : pos_type(-1);
  }

 private:
  bool note(bool done) {
    if (!done && !std::exchange(failed_, true)) error_ = errno;
    return done;
  }

  std::FILE* file_;
  int error_ = 0;
  bool failed_ = false;
};

platform::Destination destination_of(const fs::path& path, Links links) {
  try {
    return platform::Destination(path, links == Links::followed);
  } catch (const std::runtime_error& error) {
    throw unwritable(path, error.what());
  }
}

}  // namespace

class OutputFile::Target {
 public:
  Target(const fs::path& path, Links links) : path_(path), destination_(destination_of(path, links)) {
    if (!destination_.direct()) open_temporary();
  }

  // A pipe is opened only when there is data, because its reader takes the first close for the end.
  std::ostream& stream() {
    if (!buffer_) start(destination_.open_in_place());
    return stream_;
  }

  fs::path hand_over() {
    if (!temporary_) throw unwritable(path_, "it is not a regular file");
    buffer_->close();
    stream_.rdbuf(nullptr);
    handed_over_ = platform::open_to_append(temporary_->path());
    if (!handed_over_) throw unwritable(path_, std::strerror(errno));
    platform::show_writer(handed_over_);
    return temporary_->path();
  }

  void finish() {
    if (!handed_over_)
      flush();
    else if (!platform::flush_to_disk(handed_over_))
      throw unwritable(path_, reason_of(errno));
    handed_over_.reset();
    if (!temporary_) return;
    std::error_code error;
    fs::rename(temporary_->path(), destination_.file(), error);
    if (error) throw unwritable(path_, error.message());
  }

 private:
  void flush() {
    stream();
    stream_.flush();
    if (!buffer_->failed()) buffer_->flush_to_disk();
    buffer_->close();
    if (buffer_->failed() || !stream_) throw unwritable(path_, reason_of(buffer_->error()));
  }

  // An earlier process with the same number may have left this file behind.
  void open_temporary() {
    constexpr int most_attempts = 100;
    for (int attempt = 1;; ++attempt) {
      const fs::path beside_it = name_beside(destination_.file());
      errno = 0;
      std::FILE* file = nullptr;
      temporary_.emplace(beside_it, [&] { return (file = destination_.open_beside(beside_it)) != nullptr; });
      if (file == nullptr && errno == EEXIST && attempt < most_attempts) continue;
      return start(file);
    }
  }

  void start(std::FILE* file) {
    if (file == nullptr) throw unwritable(path_, errno == ENXIO ? "no process reads this pipe" : std::strerror(errno));
    buffer_ = std::make_unique<FileBuffer>(file);
    stream_.rdbuf(buffer_.get());
  }

  fs::path path_;  // path as given
  platform::Destination destination_;
  std::optional<UnfinishedFile> temporary_;
  std::unique_ptr<FileBuffer> buffer_;
  std::ostream stream_{nullptr};
  platform::Descriptor handed_over_;
};

OutputFile::OutputFile(const fs::path& path, Links links) : target_(std::make_unique<Target>(path, links)) {}
OutputFile::~OutputFile() = default;
std::ostream& OutputFile::stream() { return target_->stream(); }
fs::path OutputFile::hand_over() { return target_->hand_over(); }
void OutputFile::finish() { target_->finish(); }

void write_file(const fs::path& path, const std::function<void(std::ostream&)>& write, Links links) {
  OutputFile file(path, links);
  write(file.stream());
  file.finish();
}

void write_file(const fs::path& path, std::string_view bytes, Links links) {
  write_file(
      path, [&](std::ostream& stream) { stream.write(bytes.data(), static_cast<std::streamsize>(bytes.size())); },
      links);
}

}  // namespace orrery
