#include "base/files/growing_file.hpp"

#include <cerrno>
#include <cstring>
#include <string>

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

GrowingFile::GrowingFile(const std::filesystem::path& path, std::string_view begin)
    : path_(path), size_(static_cast<std::int64_t>(begin.size())), synchronised_(now_seconds()) {
  write_file(path, begin);
  file_ = platform::open_to_append(path);
  if (!file_) throw cannot_write(path, std::strerror(errno));
}

GrowingFile::GrowingFile(const std::filesystem::path& path, std::int64_t size)
    : path_(path), file_(platform::open_to_append(path)), size_(size), synchronised_(now_seconds()) {
  if (!file_ || !platform::truncate(file_, size)) throw cannot_write(path, std::strerror(errno));
}

void GrowingFile::append(std::string_view part) {
  for (std::string_view rest = part; !rest.empty();) {
    const std::int64_t written = platform::write_some(file_, rest.data(), rest.size());
    if (written <= 0) {
      const Error error = cannot_write(path_, std::strerror(errno));
      if (!platform::truncate(file_, size_)) throw cannot_write(path_, "its last part is incomplete");
      throw error;
    }
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
  size_ += static_cast<std::int64_t>(part.size());
  if (now_seconds() - synchronised_ < interval) return;
  (void)platform::flush_content_to_disk(file_);
  synchronised_ = now_seconds();
}

void GrowingFile::finish() {
  if (!platform::flush_to_disk(file_)) throw cannot_write(path_, std::strerror(errno));
  if (!platform::is_named(file_, path_)) throw cannot_write(path_, "it was removed or replaced while it was written");
}

}  // namespace orrery
