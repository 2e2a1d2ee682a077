#include "base/file.hpp"

#include <atomic>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <mutex>
#include <set>

#ifdef _WIN32
#include <process.h>
#else
#include <fcntl.h>
#include <unistd.h>
#endif

#include "base/error.hpp"

namespace orrery {
namespace fs = std::filesystem;
namespace {

int process_id() {
#ifdef _WIN32
  return _getpid();
#else
  return ::getpid();
#endif
}

// Two writers of the same file, in one process or in two, must not share a temporary.
fs::path beside(const fs::path& path) {
  static std::atomic<unsigned> counter = 0;
  fs::path temporary = path;
  temporary += "." + std::to_string(process_id()) + "-" + std::to_string(counter++) + ".part";
  return temporary;
}

// Without this a power cut after the rename can leave an empty file under the final name.
void flush_to_disk([[maybe_unused]] const fs::path& path) {
#ifndef _WIN32
  if (const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC); descriptor >= 0) {
    ::fsync(descriptor);
    ::close(descriptor);
  }
#endif
}

Error cannot(const char* verb, const fs::path& path, const std::string& reason) {
  return {Fault::failure, {std::string("cannot ") + verb, path.string(), {}, {}, reason, {}}};
}

struct Unfinished {
  std::mutex mutex;
  std::set<fs::path> paths;
};

// Never destroyed: threads may outlive main().
Unfinished& unfinished() {
  static Unfinished& all = *new Unfinished;
  return all;
}

void discard(const fs::path& path) {
  std::error_code ignored;
  fs::remove(path, ignored);
}

}  // namespace

UnfinishedFile::UnfinishedFile(fs::path path) : path_(std::move(path)) {
  const std::scoped_lock lock(unfinished().mutex);
  unfinished().paths.insert(path_);
}

UnfinishedFile::~UnfinishedFile() {
  const std::scoped_lock lock(unfinished().mutex);
  unfinished().paths.erase(path_);
  discard(path_);
}

void remove_unfinished_files() {
  const std::scoped_lock lock(unfinished().mutex);
  for (const fs::path& path : unfinished().paths) discard(path);
}

std::string read_file(const fs::path& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) throw usage_error("cannot read", path.string(), "it is a folder");
  errno = 0;
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw usage_error("cannot read", path.string(), std::strerror(errno));
  std::string bytes{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  if (stream.bad()) throw usage_error("cannot read", path.string(), std::strerror(errno));
  return bytes;
}

void write_file(const fs::path& path, const std::function<void(std::ostream&)>& write) {
  const UnfinishedFile temporary(beside(path));
  errno = 0;
  std::ofstream stream(temporary.path(), std::ios::binary | std::ios::trunc);
  if (!stream) throw cannot("write", path, std::strerror(errno));
  write(stream);
  stream.close();
  if (!stream) throw cannot("write", path, errno != 0 ? std::strerror(errno) : "the disk is full or was removed");
  flush_to_disk(temporary.path());
  std::error_code error;
  fs::rename(temporary.path(), path, error);
  if (error) throw cannot("write", path, error.message());
}

void write_file(const fs::path& path, std::string_view bytes) {
  write_file(path,
             [&](std::ostream& stream) { stream.write(bytes.data(), static_cast<std::streamsize>(bytes.size())); });
}

}  // namespace orrery
