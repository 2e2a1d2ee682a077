#include "shell/files/recent_files.hpp"

#include <toml++/toml.h>
#include <algorithm>
#include <sstream>
#include <utility>

#include "base/error.hpp"
#include "base/files/file.hpp"
#include "base/files/kept_file.hpp"
#include "base/files/path.hpp"
#include "base/log.hpp"
#include "base/platform/folders.hpp"
#include "base/printable.hpp"
#include "base/work/abandon.hpp"
#include "shell/files/dropped_file.hpp"

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
  std::vector<NamedFolder> places{{"Orrery pictures", pictures_folder().string()}};
  std::error_code error;
  if (const fs::path home = user_home(); !home.empty()) places.push_back({"Home", home.string()});
  if (const fs::path here = fs::current_path(error); !error) places.push_back({"Working folder", here.string()});
  for (const fs::path& root : platform::volumes()) places.push_back({root.string(), root.string()});
  places.push_back({"Orrery worlds", (asset_folder() / "worlds").string()});
  return places;
}

}  // namespace

fs::path recent_files_file() {
  const fs::path folder = state_folder();
  return folder.empty() ? folder : folder / "recent.toml";
}

std::vector<std::string> read_recent_files(const fs::path& file) {
  std::vector<std::string> list;
  std::error_code ignored;
  if (file.empty() || !fs::exists(file, ignored)) return list;
  try {
    const toml::table table = toml::parse(read_file(file));
    if (const toml::array* files = table["files"].as_array())
      for (const toml::node& each : *files)
        if (const auto path = each.value<std::string>(); path && !path->empty() && list.size() < most_recent_files)
          list.push_back(*path);
  } catch (const std::exception& error) {
    log(Level::warning, file.string() + ": " + error.what() + "; the list of recent files begins anew");
  }
  return list;
}

std::vector<std::string> with_recent_file(std::vector<std::string> list, const std::string& path) {
  std::erase(list, path);
  list.insert(list.begin(), path);
  if (list.size() > most_recent_files) list.resize(most_recent_files);
  return list;
}

std::vector<std::string> remember_recent_files(const fs::path& file, const std::vector<std::string>& paths) {
  const FileLock lock(file);
  std::vector<std::string> list = read_recent_files(file);
  for (const std::string& path : paths) list = with_recent_file(std::move(list), path);
  try {
    toml::array files;
    for (const std::string& path : list) files.push_back(path);
    std::ostringstream text;
    text << toml::table{{"files", std::move(files)}} << '\n';
    write_file(file, text.str());
  } catch (const std::exception& error) {
    log(Level::warning, std::string("the list of recent files is not kept: ") + error.what());
  }
  return list;
}

std::vector<RecentFile> looked_at(const std::vector<std::string>& list) {
  std::vector<RecentFile> files;
  for (const std::string& path : list) {
    std::error_code ignored;
    files.push_back({path, !fs::is_regular_file(path, ignored)});
  }
  return files;
}

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
