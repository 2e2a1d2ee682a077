#include "base/files/growing_file.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <string>

#ifndef _WIN32
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/files/file.hpp"

namespace orrery {
namespace {

constexpr double interval = 5;  // seconds between two synchronisations with the disk

Error cannot_write(const std::filesystem::path& path, const std::string& reason) {
  return {Fault::failure, {"cannot write", path.string(), {}, {}, reason, {}}};
}

}  // namespace

#ifdef _WIN32

GrowingFile::GrowingFile(const std::filesystem::path& path, std::string_view begin) : path_(path) {
  write_file(path, begin);
}

GrowingFile::~GrowingFile() = default;

void GrowingFile::append(std::string_view lines) {
  std::ofstream stream(path_, std::ios::binary | std::ios::app);
  if (!(stream << lines << std::flush)) throw cannot_write(path_, "the disk is full or was removed");
}

void GrowingFile::finish() {}

#else

GrowingFile::GrowingFile(const std::filesystem::path& path, std::string_view begin)
    : path_(path), size_(static_cast<std::int64_t>(begin.size())), synchronised_(now_seconds()) {
  write_file(path, begin);
  descriptor_ = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  if (descriptor_ < 0) throw cannot_write(path, std::strerror(errno));
}

GrowingFile::~GrowingFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void GrowingFile::append(std::string_view lines) {
  for (std::string_view rest = lines; !rest.empty();) {
    const ssize_t written = ::write(descriptor_, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      const Error error = cannot_write(path_, std::strerror(errno));
      if (::ftruncate(descriptor_, size_) != 0) throw cannot_write(path_, "its last line is not whole");
      throw error;
    }
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
  size_ += static_cast<std::int64_t>(lines.size());
  if (now_seconds() - synchronised_ < interval) return;
  ::fdatasync(descriptor_);
  synchronised_ = now_seconds();
}

void GrowingFile::finish() {
  if (::fsync(descriptor_) != 0 && errno != EINVAL) throw cannot_write(path_, std::strerror(errno));
  struct stat ours {
  }, named{};
  const bool same = ::fstat(descriptor_, &ours) == 0 && ::stat(path_.c_str(), &named) == 0 &&
                    ours.st_dev == named.st_dev && ours.st_ino == named.st_ino;
  if (!same) throw cannot_write(path_, "it was removed or replaced while it was written");
}

#endif

}  // namespace orrery
