#include "base/files/unfinished_file.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "base/platform/file.hpp"
#include "base/platform/process.hpp"
#include "base/platform/signals.hpp"
#include "base/text.hpp"

namespace orrery {
namespace fs = std::filesystem;
namespace {

// Signal handlers can neither lock nor allocate, so the names are stored here, each with its own state. Names that do
// not fit are removed only by their object.
enum class State {
  empty,
  changing,  // its name is written here, and its file created
  named,
  removed  // finally; another thread may still read it
};
struct Place {
  std::atomic<State> state = State::empty;
  std::array<char, 1024> path{};
};
std::array<Place, 64> places;

// The caller ends the change of its place after creating the file or failing.
std::optional<std::size_t> note(const std::string& path) {
  if (path.size() >= places.front().path.size()) return std::nullopt;
  for (std::size_t k = 0; k < places.size(); ++k) {
    State expected = State::empty;
    if (!places[k].state.compare_exchange_strong(expected, State::changing)) continue;
    std::memcpy(places[k].path.data(), path.c_str(), path.size() + 1);
    return k;
  }
  return std::nullopt;
}

// Waits for a limited time for the thread that creates the file, because the signal may have interrupted that thread
// itself.
bool is_created(const Place& place) {
  constexpr int most_waits = 100;
  for (int k = 0; k < most_waits && place.state == State::changing; ++k)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return place.state == State::named;
}

// True for "NAME.7-0.part" of an ended process, unless a process of another machine holds its lock.
bool is_debris(const fs::path& file) {
  const std::string writer = file.stem().extension().string();
  if (file.extension() != ".part" || writer.size() < 2) return false;
  const auto process = parse_integer(writer.substr(1, writer.find('-') - 1));
  std::error_code ignored;
  if (!process || platform::is_running(*process) || !fs::is_regular_file(fs::symlink_status(file, ignored)))
    return false;
  const platform::Descriptor opened = platform::open_to_append(file);
  return opened && platform::try_lock(opened);
}

std::string shortened_name(const fs::path& target) {
  constexpr std::size_t longest = 200;  // most file systems allow names of 255 bytes
  return target.filename().string().substr(0, longest) + ".";
}

}  // namespace

// Writers of the same file need different names, also within a process.
fs::path name_beside(const fs::path& target) {
  static std::atomic<unsigned> counter = 0;
  return target.parent_path() / (shortened_name(target) + std::to_string(platform::process_number()) + "-" +
                                 std::to_string(counter++) + ".part");
}

UnfinishedFile::UnfinishedFile(fs::path path, const std::function<bool()>& create)
    : path_(std::move(path)), place_(note(path_.string())) {
  const bool created = create();
  if (place_) places[*place_].state = created ? State::named : State::empty;
  if (created) return;
  path_.clear();
  place_.reset();
}

UnfinishedFile::~UnfinishedFile() {
  if (path_.empty()) return;
  std::error_code ignored;
  fs::remove(path_, ignored);
  State expected = State::named;
  if (place_) places[*place_].state.compare_exchange_strong(expected, State::empty);
}

void remove_debris_in(const fs::path& folder, std::string_view beginning) {
  std::vector<fs::path> debris;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
    if (entry->path().filename().string().starts_with(beginning) && is_debris(entry->path()))
      debris.push_back(entry->path());
  for (const fs::path& file : debris) fs::remove(file, error);
}

void remove_debris_of(const fs::path& target) {
  std::error_code ignored;
  const fs::path written = fs::weakly_canonical(target, ignored);
  remove_debris_in(written.parent_path(), shortened_name(written));
}

void remove_unfinished_files() {
  for (Place& place : places) {
    State expected = State::named;
    if (is_created(place) && place.state.compare_exchange_strong(expected, State::removed))
      platform::remove_file(place.path.data());
  }
}

}  // namespace orrery
