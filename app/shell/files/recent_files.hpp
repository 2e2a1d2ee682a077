/// The files that were opened or saved last, kept from one run to the next: recent.toml in the state folder.
///
/// Several windows may add to it at a time. Any thread.
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

/// Empty if there is no such folder.
std::filesystem::path recent_files_file();
/// The newest first. A file that is missing or makes no sense has none.
std::vector<std::string> read_recent_files(const std::filesystem::path& file);
/// The list, in which that file comes first now.
std::vector<std::string> with_recent_file(std::vector<std::string> list, const std::string& path);
/// Adds them to the list that is kept, in order; returns it. Errors are logged.
std::vector<std::string> remember_recent_files(const std::filesystem::path& file,
                                               const std::vector<std::string>& paths);
/// Looks which of them are still there; waits for the disk.
std::vector<RecentFile> looked_at(const std::vector<std::string>& list);

/// Lists folders for the file dialog, and keeps the recent files. A folder that does not answer (a disk of another
/// computer) holds nothing up. Window thread; the disk is read and written on worker threads.
class FileBrowser {
 public:
  /// `recent_file` as remember_recent_files() takes it; empty: recent files are known to this run alone.
  FileBrowser(SceneKinds kinds, std::filesystem::path recent_file);
  ~FileBrowser() { leave(); }
  FileBrowser(const FileBrowser&) = delete;
  FileBrowser& operator=(const FileBrowser&) = delete;

  void list(const command::ListFolder& wanted);
  void look_at_recent_files();
  /// That file has been opened or saved.
  void remember(const std::string& path);
  /// The last state file that was opened or saved.
  void set_document(const std::string& path) { seen_.document = path; }
  /// Each frame; true where there is something new.
  bool follow();
  /// The program ends: what does not answer is abandoned.
  void leave();

  const FilesSnapshot& snapshot() const { return seen_; }
  /// Where the dialog begins: the folder of the newest recent file, or the user's pictures.
  std::string first_folder() const;

 private:
  void begin_recent_work();

  const std::filesystem::path recent_file_;
  FilesSnapshot seen_;
  std::vector<std::string> adding_;  // to the recent files
  Background<FolderListing> listing_;
  Background<std::vector<RecentFile>> recent_;
};

}  // namespace orrery::shell
