#include "shell/files/recent_files.hpp"

#include <toml++/toml.h>
#include <algorithm>
#include <sstream>

#include "base/error.hpp"
#include "base/files/file.hpp"
#include "base/files/kept_file.hpp"
#include "base/files/path.hpp"
#include "base/log.hpp"

namespace orrery::shell {

std::filesystem::path recent_files_file() {
  const std::filesystem::path folder = state_folder();
  return folder.empty() ? folder : folder / "recent.toml";
}

std::vector<std::string> read_recent_files(const std::filesystem::path& file) {
  std::vector<std::string> list;
  std::error_code ignored;
  if (file.empty() || !std::filesystem::exists(file, ignored)) return list;
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

std::vector<std::string> remember_recent_files(const std::filesystem::path& file,
                                               const std::vector<std::string>& paths) {
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
    files.push_back({path, !std::filesystem::is_regular_file(path, ignored)});
  }
  return files;
}

}  // namespace orrery::shell
