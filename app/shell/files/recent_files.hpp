/// The last files opened or saved, remembered between runs: recent.toml in the state folder.
///
/// Several windows may add to it concurrently. Any thread.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/work/background.hpp"
#include "protocol/command.hpp"
#include "protocol/files_snapshot.hpp"
#include "scene/scene_kind.hpp"

namespace orrery::shell {

inline constexpr std::size_t most_recent_files = 10;

/// The path; empty without a state folder.
std::filesystem::path recent_files_file();
/// The list, newest first; empty if the file is missing or invalid.
std::vector<std::string> read_recent_files(const std::filesystem::path& file);
/// The list with that file moved to the front.
std::vector<std::string> with_recent_file(std::vector<std::string> list, const std::string& path);
/// Adds them to the saved list, in order; returns the list. Errors are logged.
std::vector<std::string> remember_recent_files(const std::filesystem::path& file,
                                               const std::vector<std::string>& paths);
/// Checks which of them still exist; waits for the disk.
std::vector<RecentFile> looked_at(const std::vector<std::string>& list);

/// Lists folders for the file dialog, and remembers the recent files. An unresponsive folder (a network disk) blocks
/// nothing. Window thread; the disk is read and written on worker threads.
class FileBrowser {
 public:
  /// `recent_file` as remember_recent_files() takes it; empty: recent files are not saved.
  FileBrowser(SceneKinds kinds, std::filesystem::path recent_file);
  ~FileBrowser() { leave(); }
  FileBrowser(const FileBrowser&) = delete;
  FileBrowser& operator=(const FileBrowser&) = delete;

  void list(const command::ListFolder& wanted);
  void look_at_recent_files();
  /// Remembers that file as opened or saved.
  void remember(const std::string& path);
  /// Sets the last state file opened or saved.
  void set_document(const std::string& path) { seen_.document = path; }
  /// Called each frame; true if the contents have changed.
  bool follow();
  /// Ends; abandons tasks that do not answer.
  void leave();

  const FilesSnapshot& snapshot() const { return seen_; }
  /// The dialog's first folder: that of the newest recent file, or the user's pictures.
  std::string first_folder() const;

 private:
  void begin_recent_work();

  const std::filesystem::path recent_file_;
  FilesSnapshot seen_;
  std::vector<std::string> adding_;  // files to add to the recent ones
  Background<FolderListing> listing_;
  Background<std::vector<RecentFile>> recent_;
};

}  // namespace orrery::shell
