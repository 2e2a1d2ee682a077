/// Saves files for the user while the window runs: screenshots, traces and states.
///
/// Window thread; files are written on a worker thread, in sequence.
#pragma once

#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "base/files/image.hpp"
#include "base/files/state_text.hpp"
#include "base/timeline.hpp"
#include "base/work/background.hpp"
#include "base/work/reading_progress.hpp"
#include "scene/scene_kind.hpp"

namespace orrery::shell {

struct SavedFile {
  std::filesystem::path path;
  bool is_document = false;         ///< a state under a name chosen by a person
  std::string left_out = {};        ///< parts missing in a picture's state
  std::optional<Error> fault = {};  ///< why saving failed; the path is empty if it had no name yet
};

/// A new name in the user's pictures folder, or in the state folder if that is not writable: "orrery-20261128-…". An
/// empty file claims it. Throws Error.
std::filesystem::path new_picture_name(const std::string& stem, const char* extension);

class FileSaver {
 public:
  /// The picture is complete at the end of the frame; without panels, before they are drawn.
  enum class Screenshot { none, whole, without_panels };
  /// Requests a screenshot into that file, or under a new name in the user's pictures folder.
  void request_screenshot(bool panels, std::filesystem::path file = {}) {
    screenshot_ = panels ? Screenshot::whole : Screenshot::without_panels;
    screenshot_file_ = std::move(file);
  }
  bool screenshot_requested() const { return screenshot_ != Screenshot::none; }
  /// True once after each request of this form.
  bool take_screenshot_request(Screenshot form) {
    if (screenshot_ != form) return false;
    screenshot_ = Screenshot::none;
    return true;
  }

  /// Saves to the place of the request. A `state` that is not empty is written into the picture.
  void save_screenshot(Image image, StateSource state);
  void save_trace(TimelineView view);
  /// Saves the values of a plot, as .csv, and its picture, named after its title.
  void save_table(const std::string& title, std::string text);
  void save_plot(const std::string& title, Image image);
  void save_state(std::filesystem::path path, StateSource state, bool is_document = true);
  /// Saves the past of a simulation, or its points.
  void save_of_scene(std::filesystem::path path, SceneWriter write);
  /// "saving stars.npz: 43 %"; empty: no progress known.
  std::string status() const { return saving_.busy() && progress_ ? progress_->status() : std::string(); }
  /// The last saved or failed file, returned once.
  std::optional<SavedFile> poll();
  /// Waits until all files are saved, at most 60 s.
  void finish();

 private:
  /// An empty path: `save` chooses a name.
  void start(const std::filesystem::path& path, std::function<SavedFile()> save);

  Screenshot screenshot_ = Screenshot::none;
  std::filesystem::path screenshot_file_;
  Background<SavedFile> saving_;
  std::shared_ptr<ReadingProgress> progress_;  // progress of the last state or past
  std::deque<std::function<SavedFile()>> waiting_;
};

}  // namespace orrery::shell
