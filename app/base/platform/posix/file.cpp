#include "base/platform/file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>

#include "base/text.hpp"

namespace orrery::platform {
namespace fs = std::filesystem;
namespace {

fs::file_type type_of(mode_t mode) {
  if (S_ISREG(mode)) return fs::file_type::regular;
  if (S_ISDIR(mode)) return fs::file_type::directory;
  if (S_ISFIFO(mode)) return fs::file_type::fifo;
  if (S_ISSOCK(mode)) return fs::file_type::socket;
  return S_ISBLK(mode) ? fs::file_type::block : fs::file_type::character;
}

Descriptor open_file(const fs::path& path, int how, mode_t mode = 0) {
  return Descriptor(::open(path.c_str(), how | O_CLOEXEC, mode));
}

// Fails for a pipe without a reader, where a plain open() would wait.
Descriptor open_without_waiting(const fs::path& path, int how) {
  Descriptor opened = open_file(path, how | O_NONBLOCK | O_NOCTTY);
  if (opened) ::fcntl(opened.number(), F_SETFL, ::fcntl(opened.number(), F_GETFL) & ~O_NONBLOCK);
  return opened;
}

// True also on file systems that do not support flushing.
bool on_disk(int result) { return result == 0 || errno == EINVAL || errno == EROFS || errno == ENOTSUP; }

// "/dev/fd/1", the target of "/dev/stdout". Opening it by name would write a redirected output from its beginning.
std::optional<int> own_descriptor(const fs::path& path) {
  const fs::path folder = path.parent_path();
  if (folder != "/proc/self/fd" && folder != "/dev/fd") return std::nullopt;
  const auto number = parse_integer(path.filename().string());
  return number && *number >= 0 && *number < 1 << 20 ? std::optional(static_cast<int>(*number)) : std::nullopt;
}

}  // namespace

void Descriptor::reset() {
  if (number_ >= 0) ::close(std::exchange(number_, -1));
}

std::FILE* Descriptor::stream() && {
  if (number_ < 0) return nullptr;
  std::FILE* file = ::fdopen(number_, "wb");
  if (file != nullptr) number_ = -1;
  return file;
}

Descriptor open_to_read(const fs::path& path, bool follows_link) {
  return open_file(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | (follows_link ? 0 : O_NOFOLLOW));
}
Descriptor open_to_append(const fs::path& path) { return open_without_waiting(path, O_WRONLY | O_APPEND); }
Descriptor open_or_create(const fs::path& path) { return open_file(path, O_RDWR | O_CREAT, 0600); }
Descriptor create_new(const fs::path& path, bool only_for_owner) {
  return open_file(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, only_for_owner ? 0600 : 0666);
}

std::optional<FileStatus> status_of(const Descriptor& file) {
  struct stat status {};
  if (::fstat(file.number(), &status) != 0) return std::nullopt;
  constexpr std::int64_t second = 1'000'000'000;
  return FileStatus{type_of(status.st_mode), static_cast<std::uint64_t>(status.st_size),
                    second * status.st_mtim.tv_sec + status.st_mtim.tv_nsec};
}

bool is_named(const Descriptor& file, const fs::path& path) {
  struct stat ours {
  }, named{};
  return ::fstat(file.number(), &ours) == 0 && ::stat(path.c_str(), &named) == 0 && ours.st_dev == named.st_dev &&
         ours.st_ino == named.st_ino;
}

std::int64_t read_some(const Descriptor& file, void* into, std::size_t most) {
  for (;;)
    if (const ssize_t count = ::read(file.number(), into, most); count >= 0 || errno != EINTR) return count;
}

bool seek(const Descriptor& file, std::uint64_t offset) {
  return ::lseek(file.number(), static_cast<off_t>(offset), SEEK_SET) >= 0;
}

bool seek(std::FILE* file, std::uint64_t offset) { return ::fseeko(file, static_cast<off_t>(offset), SEEK_SET) == 0; }

std::int64_t write_some(const Descriptor& file, const void* from, std::size_t size) {
  for (;;)
    if (const ssize_t count = ::write(file.number(), from, size); count >= 0 || errno != EINTR) return count;
}

bool truncate(const Descriptor& file, std::int64_t size) { return ::ftruncate(file.number(), size) == 0; }
bool flush_to_disk(const Descriptor& file) { return on_disk(::fsync(file.number())); }
bool flush_to_disk(std::FILE* file) { return on_disk(::fsync(::fileno(file))); }
bool flush_content_to_disk(const Descriptor& file) { return on_disk(::fdatasync(file.number())); }
bool try_lock(const Descriptor& file) { return ::flock(file.number(), LOCK_EX | LOCK_NB) == 0; }
void show_writer(const Descriptor& file) { (void)try_lock(file); }

Destination::Destination(const fs::path& path, bool follows_links) : file_(path) {
  constexpr int most_links = 40;
  for (int links = 0; follows_links; ++links) {
    if (const auto descriptor = own_descriptor(file_)) {
      descriptor_ = *descriptor;
      direct_ = true;
      return;
    }
    std::error_code error;
    if (!fs::is_symlink(fs::symlink_status(file_, error))) break;
    if (links == most_links) throw std::runtime_error(std::strerror(ELOOP));
    const fs::path target = fs::read_symlink(file_, error);
    if (error) throw std::runtime_error(error.message());
    file_ = target.is_absolute() ? target : file_.parent_path() / target;
  }
  struct stat before {};
  exists_ = (follows_links ? ::stat : ::lstat)(file_.c_str(), &before) == 0;
  if (exists_ && !follows_links) exists_ = S_ISREG(before.st_mode) || S_ISDIR(before.st_mode);
  if (!exists_) return;
  if (S_ISDIR(before.st_mode)) throw std::runtime_error("it is a folder");
  if (::access(file_.c_str(), W_OK) != 0) throw std::runtime_error(std::strerror(errno));
  direct_ = !S_ISREG(before.st_mode);
  before_ = {before.st_mode & 0777U, before.st_uid, before.st_gid};
}

std::FILE* Destination::open_in_place() const {
  if (descriptor_ >= 0) {
    std::fflush(stdout);
    return Descriptor(::fcntl(descriptor_, F_DUPFD_CLOEXEC, 3)).stream();
  }
  return open_without_waiting(file_, O_WRONLY).stream();
}

// Only the owner can read the file until it has the permissions of the old file; an unknown group gets none.
std::FILE* Destination::open_beside(const fs::path& temporary) const {
  Descriptor created = create_new(temporary, exists_);
  if (created && exists_) {
    unsigned mode = before_.mode;
    const bool kept = ::fchown(created.number(), before_.user, before_.group) == 0 ||
                      ::fchown(created.number(), static_cast<uid_t>(-1), before_.group) == 0;
    if (!kept) mode &= ~070U;
    (void)!::fchmod(created.number(), mode);  // fails on a file system without permissions
  }
  if (created) show_writer(created);
  return std::move(created).stream();
}

std::optional<fs::path> create_own_folder(const fs::path& place, const std::string& name) {
  std::string path = (place / (name + "-XXXXXX")).string();
  if (::mkdtemp(path.data()) == nullptr) return std::nullopt;
  return path;
}

}  // namespace orrery::platform
