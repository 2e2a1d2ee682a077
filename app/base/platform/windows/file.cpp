#include "base/platform/file.hpp"

#include <fcntl.h>
#include <io.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <random>
#include <stdexcept>

#include "base/platform/windows/system.hpp"

namespace orrery::platform {
namespace fs = std::filesystem;
namespace {

// Lets other programs rename and remove the open file, as on other systems.
constexpr DWORD shared = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;

Descriptor open_file(const fs::path& path, DWORD access, DWORD creation, int flags) {
  const HANDLE handle = CreateFileW(path.c_str(), access, shared, nullptr, creation, FILE_ATTRIBUTE_NORMAL, nullptr);
  if (handle != INVALID_HANDLE_VALUE)
    return Descriptor(_open_osfhandle(reinterpret_cast<std::intptr_t>(handle), flags | _O_BINARY | _O_NOINHERIT));
  const DWORD error = GetLastError();
  std::error_code ignored;
  set_errno_by(error);
  if (fs::is_directory(path, ignored)) errno = EISDIR;
  return {};
}

HANDLE handle_of(const Descriptor& file) { return reinterpret_cast<HANDLE>(_get_osfhandle(file.number())); }

std::optional<BY_HANDLE_FILE_INFORMATION> information_of(HANDLE handle) {
  BY_HANDLE_FILE_INFORMATION information{};
  if (GetFileInformationByHandle(handle, &information)) return information;
  return std::nullopt;
}

unsigned at_most_int(std::size_t size) { return static_cast<unsigned>(std::min<std::size_t>(size, INT_MAX)); }

}  // namespace

void Descriptor::reset() {
  if (number_ >= 0) _close(std::exchange(number_, -1));
}

std::FILE* Descriptor::stream() && {
  if (number_ < 0) return nullptr;
  std::FILE* file = _fdopen(number_, "wb");
  if (file != nullptr) number_ = -1;
  return file;
}

Descriptor open_to_read(const fs::path& path, bool follows_link) {
  std::error_code ignored;
  if (follows_link || !fs::is_symlink(path, ignored)) return open_file(path, GENERIC_READ, OPEN_EXISTING, _O_RDONLY);
  errno = ELOOP;
  return {};
}
Descriptor open_to_append(const fs::path& path) {
  return open_file(path, FILE_APPEND_DATA | FILE_WRITE_DATA | FILE_READ_ATTRIBUTES | SYNCHRONIZE, OPEN_EXISTING,
                   _O_WRONLY | _O_APPEND);
}
Descriptor open_or_create(const fs::path& path) {
  return open_file(path, GENERIC_READ | GENERIC_WRITE, OPEN_ALWAYS, _O_RDWR);
}
// DELETE allows removing the open file by its name.
Descriptor create_new(const fs::path& path, bool) {
  return open_file(path, GENERIC_WRITE | DELETE, CREATE_NEW, _O_WRONLY);
}

std::optional<FileStatus> status_of(const Descriptor& file) {
  const HANDLE handle = handle_of(file);
  switch (GetFileType(handle)) {
    case FILE_TYPE_PIPE:
      return FileStatus{fs::file_type::fifo};
    case FILE_TYPE_CHAR:
      return FileStatus{fs::file_type::character};
  }
  const auto known = information_of(handle);
  if (!known) return std::nullopt;
  const FILETIME& written = known->ftLastWriteTime;
  return FileStatus{fs::file_type::regular, std::uint64_t{known->nFileSizeHigh} << 32 | known->nFileSizeLow,
                    std::int64_t{written.dwHighDateTime} << 32 | written.dwLowDateTime};
}

bool is_named(const Descriptor& file, const fs::path& path) {
  const Handle other(CreateFileW(path.c_str(), FILE_READ_ATTRIBUTES, shared, nullptr, OPEN_EXISTING, 0, nullptr));
  if (!other) return false;
  const auto ours = information_of(handle_of(file)), named = information_of(other.get());
  return ours && named && ours->dwVolumeSerialNumber == named->dwVolumeSerialNumber &&
         ours->nFileIndexHigh == named->nFileIndexHigh && ours->nFileIndexLow == named->nFileIndexLow;
}

std::int64_t read_some(const Descriptor& file, void* into, std::size_t most) {
  return _read(file.number(), into, at_most_int(most));
}

bool seek(const Descriptor& file, std::uint64_t offset) {
  return _lseeki64(file.number(), static_cast<std::int64_t>(offset), SEEK_SET) >= 0;
}

bool seek(std::FILE* file, std::uint64_t offset) {
  return _fseeki64(file, static_cast<std::int64_t>(offset), SEEK_SET) == 0;
}

std::int64_t write_some(const Descriptor& file, const void* from, std::size_t size) {
  return _write(file.number(), from, at_most_int(size));
}

bool truncate(const Descriptor& file, std::int64_t size) {
  const errno_t error = _chsize_s(file.number(), size);
  if (error != 0) errno = error;
  return error == 0;
}

bool flush_to_disk(const Descriptor& file) { return _commit(file.number()) == 0; }
// True also for pipes and terminals, which cannot be flushed.
bool flush_to_disk(std::FILE* file) { return _commit(_fileno(file)) == 0 || errno == EBADF || errno == EINVAL; }
bool flush_content_to_disk(const Descriptor& file) { return flush_to_disk(file); }

bool try_lock(const Descriptor& file) {
  OVERLAPPED from_the_beginning{};
  return LockFileEx(handle_of(file), LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY, 0, MAXDWORD, MAXDWORD,
                    &from_the_beginning) != 0;
}

void show_writer(const Descriptor&) {}

Destination::Destination(const fs::path& path, bool follows_links) : file_(path) {
  std::error_code ignored;
  if (!follows_links && !fs::is_regular_file(fs::symlink_status(path, ignored))) {
    if (fs::is_directory(fs::symlink_status(path, ignored))) throw std::runtime_error("it is a folder");
    return;
  }
  if (fs::is_directory(path, ignored)) throw std::runtime_error("it is a folder");
  exists_ = fs::exists(path, ignored);
  if (!exists_) return;
  if (const fs::path target = fs::canonical(path, ignored); !ignored) file_ = target;
  if (const DWORD attributes = GetFileAttributesW(file_.c_str());
      attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_READONLY) != 0)
    throw std::runtime_error("Permission denied");
  direct_ = !fs::is_regular_file(file_, ignored);  // NUL, CON
}

std::FILE* Destination::open_in_place() const {
  return open_file(file_, GENERIC_WRITE, OPEN_EXISTING, _O_WRONLY).stream();
}

std::FILE* Destination::open_beside(const fs::path& temporary) const { return create_new(temporary).stream(); }

// Temporary folders are the user's own here.
std::optional<fs::path> create_own_folder(const fs::path& place, const std::string& name) {
  constexpr int most_attempts = 100;
  std::random_device random;
  std::error_code error;
  for (int attempt = 0; attempt < most_attempts; ++attempt)
    if (fs::path path = place / (name + "-" + std::to_string(random())); fs::create_directory(path, error)) return path;
  return std::nullopt;
}

}  // namespace orrery::platform
