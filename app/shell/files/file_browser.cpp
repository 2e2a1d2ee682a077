#include "shell/files/file_browser.hpp"

#include <utility>

#include "base/files/path.hpp"
#include "base/log.hpp"
#include "base/platform/folders.hpp"
#include "base/printable.hpp"
#include "base/work/abandon.hpp"
#include "shell/files/dropped_file.hpp"
#include "shell/files/recent_files.hpp"

namespace orrery::shell {
namespace fs = std::filesystem;
namespace {

FolderListing listed(const command::ListFolder& wanted) {
  using enum command::ListFolder::How;
  fs::path folder = wanted.path;
  std::error_code error;
  if (folder == pictures_folder()) fs::create_directories(folder, error);
  if (wanted.how == nearest)
    while (!fs::is_directory(folder, error) && folder.has_relative_path()) folder = folder.parent_path();
  if (wanted.how != made || fs::create_directories(folder, error) || fs::is_directory(folder))
    return list_folder(folder);
  FolderListing above = list_folder(folder.parent_path());
  above.fault = "The folder " + in_quotes(folder.string()) + " cannot be made: " + error.message();
  return above;
}

std::vector<NamedFolder> places() {
  std::vector<NamedFolder> places{{"Pictures of Orrery", pictures_folder().string()}};
  std::error_code error;
  if (const fs::path home = user_home(); !home.empty()) places.push_back({"Home", home.string()});
  if (const fs::path here = fs::current_path(error); !error) places.push_back({"Working folder", here.string()});
  for (const fs::path& root : platform::volumes()) places.push_back({root.string(), root.string()});
  places.push_back({"Worlds of Orrery", (asset_folder() / "worlds").string()});
  return places;
}

}  // namespace

FileBrowser::FileBrowser(SceneKinds kinds, fs::path recent_file) : recent_file_(std::move(recent_file)) {
  seen_.places = places();
  seen_.openable_text = known_files(kinds);
  seen_.openable = extensions_in(seen_.openable_text);
  for (const std::string& path : read_recent_files(recent_file_)) seen_.recent.push_back({path});
}

void FileBrowser::list(const command::ListFolder& wanted) {
  orrery::leave(listing_);  // it may wait for a disk that never answers
  seen_.listing.reset();
  listing_.start([wanted] { return listed(wanted); });
}

void FileBrowser::look_at_recent_files() {
  if (!recent_.busy()) begin_recent_work();
}

void FileBrowser::remember(const std::string& path) {
  std::error_code error;
  fs::path whole = fs::absolute(path, error);
  adding_.push_back(error ? path : whole.lexically_normal().string());
  look_at_recent_files();
}

void FileBrowser::begin_recent_work() {
  std::vector<std::string> list;
  for (const RecentFile& each : seen_.recent) list.push_back(each.path);
  recent_.start([file = recent_file_, list = std::move(list), adding = std::exchange(adding_, {})]() mutable {
    for (const std::string& path : adding) list = with_recent_file(std::move(list), path);
    if (!file.empty() && !adding.empty()) list = remember_recent_files(file, adding);
    return looked_at(list);
  });
}

bool FileBrowser::follow() {
  bool is_new = false;
  if (std::optional<FolderListing> listing = listing_.poll()) {
    seen_.listing = std::make_shared<const FolderListing>(std::move(*listing));
    is_new = true;
  }
  if (auto recent = recent_.poll()) {
    seen_.recent = std::move(*recent);
    is_new = true;
    if (!adding_.empty()) begin_recent_work();
  }
  return is_new;
}

void FileBrowser::leave() {
  orrery::leave(listing_);
  orrery::leave(recent_);
}

std::string FileBrowser::first_folder() const {
  if (seen_.recent.empty()) return pictures_folder().string();
  return fs::path(seen_.recent.front().path).parent_path().string();
}

}  // namespace orrery::shell
