/// Saves the files that the user asks for while the window runs: screenshots, traces and states.
///
/// Window thread; files are written on a worker thread, one after the other.
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
  bool is_document = false;         ///< a state, by the name that a person has chosen
  std::string left_out = {};        ///< of a picture's state: what is not in it
  std::optional<Error> fault = {};  ///< it could not be saved; the path is empty where a name was to be found for it
};

/// A new name among the user's pictures, or in the state folder where these cannot be written: "orrery-20261128-…".
/// It is claimed by an empty file. Throws Error.
std::filesystem::path new_picture_name(const std::string& stem, const char* extension);

class FileSaver {
 public:
  /// The picture is complete at the end of the frame; without panels, before they are drawn.
  enum class Screenshot { none, whole, without_panels };
  /// Into that file, or under a new name among the user's pictures.
  void request_screenshot(bool panels, std::filesystem::path file = {}) {
    screenshot_ = panels ? Screenshot::whole : Screenshot::without_panels;
    screenshot_file_ = std::move(file);
  }
  bool screenshot_requested() const { return screenshot_ != Screenshot::none; }
  /// True once after each request for one of this form.
  bool take_screenshot_request(Screenshot form) {
    if (screenshot_ != form) return false;
    screenshot_ = Screenshot::none;
    return true;
  }

  /// Where the request said. `state`, unless it is empty, is written into the picture.
  void save_screenshot(Image image, StateSource state);
  void save_trace(TimelineView view);
  /// The values of a plot, as .csv, and its picture; named after its title.
  void save_table(const std::string& title, std::string text);
  void save_plot(const std::string& title, Image image);
  void save_state(std::filesystem::path path, StateSource state, bool is_document = true);
  /// The past of a simulation, or its points.
  void save_of_scene(std::filesystem::path path, SceneWriter write);
  /// "saving stars.npz: 43 %"; empty where nothing is told.
  std::string status() const { return saving_.busy() && progress_ ? progress_->status() : std::string(); }
  /// What has been saved, or could not be, once.
  std::optional<SavedFile> poll();
  /// Waits until all is saved, 60 s at the most.
  void finish();

 private:
  /// The path is empty where `save` finds a name.
  void start(const std::filesystem::path& path, std::function<SavedFile()> save);

  Screenshot screenshot_ = Screenshot::none;
  std::filesystem::path screenshot_file_;
  Background<SavedFile> saving_;
  std::shared_ptr<ReadingProgress> progress_;  // of the last state or past
  std::deque<std::function<SavedFile()>> waiting_;
};

}  // namespace orrery::shell
