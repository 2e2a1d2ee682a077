/// What a file that is dropped onto the window means: a session, a tour, or what one of the scenes opens. Any thread.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/files/state_text.hpp"
#include "base/work/background.hpp"
#include "base/work/reading_progress.hpp"
#include "scene/scene_kind.hpp"
#include "shell/files/tour.hpp"

namespace orrery::shell {

/// A state file (.toml with tables), or a file of one scene as that scene's table; or a guided tour.
struct DroppedFile {
  std::string path;
  StateTables state;
  std::string scene;                        ///< to be shown; empty: the present one
  std::string contents = {};                ///< "600 bodies"; empty where the file's name says enough
  std::shared_ptr<void> content = {};       ///< for Scene::load() of `scene`; null: there is none
  std::vector<std::string> unknown;         ///< keys and tables that no scene knows, as load_scenes returns them
  std::string left_out = {};                ///< files that were dropped with it, and are not opened
  std::vector<std::string> mergeable = {};  ///< it and those of them that can become one file with it; none: no others
  std::optional<FilePreview> preview = {};  ///< where a person is to decide whether it is loaded
  bool is_session = false;                  ///< what Ctrl+S saves from now on, where it is no picture
  bool is_return = false;                   ///< no file: undo or redo of opening one, told by `contents`
  bool is_fresh = false;                    ///< no file: all scenes as they are at the first start
  std::optional<Tour> tour = {};            ///< in place of all that
};

/// The files that can be opened, in words: "a session (.toml, or a .png that Orrery saved), bodies (.csv, .npy, …), …".
std::string known_files(SceneKinds kinds);
/// The extensions in such a text: ".toml", ".png", …, each once.
std::vector<std::string> extensions_in(const std::string& text);
/// The extensions of the scenes' files that are not TOML.
std::set<std::string, std::less<>> named_files(SceneKinds kinds);

/// Reads and tries all of the first file, without touching the session that runs. A path may be an address: "file:/x",
/// with bytes as %20. Throws a usage Error that says what is wrong with the file, or which kinds there are.
DroppedFile examine_dropped(SceneKinds kinds, const std::vector<std::string>& paths, const FileProgress& progress = {});

/// Merges them by the kind of scene that opens the first one, and examines the file that this makes.
DroppedFile examine_merged(SceneKinds kinds, const std::vector<std::string>& paths, const FileProgress& progress = {});

DroppedFile fresh_start(SceneKinds kinds);

/// The file's name without its folders.
std::string short_name(const std::string& path);

/// Opens files on a worker thread: reads and tries them, and brings back what the opening of one had replaced. Window
/// thread. Nothing waits; the destructor cancels the reading.
class FileOpener {
 public:
  ~FileOpener() { cancel(); }

  /// Replaces a file that is being read.
  void open(SceneKinds kinds, std::vector<std::string> paths);
  /// Makes one new file of them, and opens that.
  void merge(SceneKinds kinds, std::vector<std::string> paths);
  void bring_back(std::function<DroppedFile()> work);
  /// Once; rethrows what the opening threw.
  std::optional<DroppedFile> poll() { return opening_.poll(); }

  /// A file is being read, or poll() has still to tell what became of it.
  bool busy() const { return opening_.busy(); }
  /// Of the last file, without its folder.
  const std::string& name() const { return name_; }
  /// See ReadingProgress::status().
  std::string status() const { return opening_.busy() && progress_ ? progress_->status() : std::string(); }
  void cancel();

 private:
  using Examine = DroppedFile (*)(SceneKinds, const std::vector<std::string>&, const FileProgress&);
  void start(SceneKinds kinds, std::vector<std::string> paths, Examine examine);

  std::string name_;
  Background<DroppedFile> opening_;
  std::shared_ptr<ReadingProgress> progress_;  // of the last file
};

}  // namespace orrery::shell
