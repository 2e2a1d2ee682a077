#include "base/files/unfinished_file.hpp"

#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <string>

#include "base/error.hpp"
#include "base/platform/file.hpp"
#include "base/platform/process.hpp"
#include "base/platform/signals.hpp"

namespace orrery {
namespace fs = std::filesystem;
namespace {

// Signal handlers can neither lock nor allocate, so the names are stored here, each with its own state. Names that do
// not fit are removed only by their object.
enum class State { empty, changing, named, removed /* for good: another thread may still read it */ };
struct Place {
  std::atomic<State> state = State::empty;
  std::array<char, 1024> path{};
};
std::array<Place, 64> places;

std::optional<std::size_t> note(const std::string& path) {
  if (path.size() >= places.front().path.size()) return std::nullopt;
  for (std::size_t k = 0; k < places.size(); ++k) {
    State expected = State::empty;
    if (!places[k].state.compare_exchange_strong(expected, State::changing)) continue;
    std::memcpy(places[k].path.data(), path.c_str(), path.size() + 1);
    places[k].state = State::named;
    return k;
  }
  return std::nullopt;
}

// An earlier process with the same number may have left this file behind.
fs::path created_beside(const fs::path& target) {
  constexpr int most_attempts = 1000;
  for (int attempt = 0; attempt < most_attempts; ++attempt) {
    fs::path path = name_beside(target);
    if (platform::create_new(path)) return path;
    if (errno != EEXIST) break;
  }
  throw Error(Fault::failure, {"cannot write", target.string(), {}, {}, std::strerror(errno), {}});
}

}  // namespace

// Two writers of the same file, in one process or in two, need different names.
fs::path name_beside(const fs::path& target) {
  static std::atomic<unsigned> counter = 0;
  constexpr std::size_t longest = 200;  // most file systems allow names of 255 bytes
  return target.parent_path() /
         (target.filename().string().substr(0, longest) + "." + std::to_string(platform::process_number()) + "-" +
          std::to_string(counter++) + ".part");
}

UnfinishedFile::UnfinishedFile(fs::path path) : path_(std::move(path)), place_(note(path_.string())) {}

UnfinishedFile UnfinishedFile::beside(const fs::path& target) { return UnfinishedFile(created_beside(target)); }

UnfinishedFile::~UnfinishedFile() {
  std::error_code ignored;
  fs::remove(path_, ignored);
  State expected = State::named;
  if (place_) places[*place_].state.compare_exchange_strong(expected, State::empty);
}

void remove_unfinished_files() {
  for (Place& place : places) {
    State expected = State::named;
    if (!place.state.compare_exchange_strong(expected, State::removed)) continue;
    platform::remove_file(place.path.data());
  }
}

}  // namespace orrery
