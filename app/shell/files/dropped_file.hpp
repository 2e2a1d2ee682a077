/// The content of a file dropped onto the window: a session, a tour, or a file of a scene. Any thread.
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
  std::string scene;                        ///< scene to show; empty: the present one
  std::string contents = {};                ///< "600 bodies"; empty: the file's name suffices
  std::shared_ptr<void> content = {};       ///< for Scene::load() of `scene`; null: none
  std::vector<std::string> unknown;         ///< unknown keys and tables, as load_scenes returns them
  std::string left_out = {};                ///< files dropped with it that are not opened
  std::vector<std::string> mergeable = {};  ///< files that can be merged, including this one; empty: no others
  std::optional<FilePreview> preview = {};  ///< set if a person decides whether to load it
  bool is_session = false;                  ///< the target of Ctrl+S, unless it is a picture
  bool is_return = false;                   ///< undo or redo of an opening, described by `contents`
  bool is_fresh = false;                    ///< all scenes as at the first start
  std::optional<Tour> tour = {};            ///< a tour; the other members are unused
};

/// The files that can be opened, in words: "a session (.toml, or a .png that Orrery saved), bodies (.csv, .npy, …), …".
std::string known_files(SceneKinds kinds);
/// The extensions in such a text: ".toml", ".png", …, each once.
std::vector<std::string> extensions_in(const std::string& text);
/// The extensions of the scenes' files that are not TOML.
std::set<std::string, std::less<>> named_files(SceneKinds kinds);

/// Reads and tests the whole first file without changing the running session. A path may be an address: "file:/x", with
/// bytes as %20. Throws a usage Error that tells the fault of the file, or the known kinds.
DroppedFile examine_dropped(SceneKinds kinds, const std::vector<std::string>& paths, const FileProgress& progress = {});

/// Merges the files by the kind of scene that opens the first one, and examines the result.
DroppedFile examine_merged(SceneKinds kinds, const std::vector<std::string>& paths, const FileProgress& progress = {});

DroppedFile fresh_start(SceneKinds kinds);

/// The file's name without its folders.
std::string short_name(const std::string& path);

/// Opens files on a worker thread: reads and tests them, and restores the state from before an opening. Window thread.
/// Never waits; the destructor cancels the reading.
class FileOpener {
 public:
  ~FileOpener() { cancel(); }

  /// Opens a file in place of one that is being read.
  void open(SceneKinds kinds, std::vector<std::string> paths);
  /// Merges them into a new file and opens it.
  void merge(SceneKinds kinds, std::vector<std::string> paths);
  void bring_back(std::function<DroppedFile()> work);
  /// Returns the result once; rethrows exceptions of the opening.
  std::optional<DroppedFile> poll() { return opening_.poll(); }

  /// True while a file is being read, or poll() still has its result.
  bool busy() const { return opening_.busy(); }
  /// The name of the last file, without its folder.
  const std::string& name() const { return name_; }
  /// See ReadingProgress::status().
  std::string status() const { return opening_.busy() && progress_ ? progress_->status() : std::string(); }
  void cancel();

 private:
  using Examine = DroppedFile (*)(SceneKinds, const std::vector<std::string>&, const FileProgress&);
  void start(SceneKinds kinds, std::vector<std::string> paths, Examine examine);

  std::string name_;
  Background<DroppedFile> opening_;
  std::shared_ptr<ReadingProgress> progress_;  // progress of the last file
};

}  // namespace orrery::shell
