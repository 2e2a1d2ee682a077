/// Lists folders for the file dialog, and keeps the recent files. A folder that does not answer (a disk of another
/// computer) holds nothing up.
///
/// Window thread; the disk is read and written on worker threads.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/work/background.hpp"
#include "protocol/command.hpp"
#include "protocol/files_snapshot.hpp"
#include "scene/scene_kind.hpp"

namespace orrery::shell {

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
