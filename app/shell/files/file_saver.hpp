/// Saves the files that the user asks for while the window runs: screenshots and traces.
///
/// Window thread; files are written on a worker thread.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "base/files/image.hpp"
#include "base/files/state_text.hpp"
#include "base/timeline.hpp"
#include "base/work/background.hpp"

namespace orrery::shell {

class FileSaver {
 public:
  /// The picture is complete at the end of the frame only.
  void request_screenshot() { screenshot_requested_ = true; }
  bool screenshot_requested() const { return screenshot_requested_; }
  /// True once after each request.
  bool take_screenshot_request() { return std::exchange(screenshot_requested_, false); }

  /// `state`, unless it is empty, is written into the picture.
  void save_screenshot(Image image, StateSource state);
  void save_trace(TimelineView view);
  /// The values of a plot, as .csv, and its picture; named after its title.
  void save_table(const std::string& title, std::string text);
  void save_plot(const std::string& title, Image image);
  /// "Saved FILE", once. Throws why it could not be saved.
  std::optional<std::string> poll() { return saving_.poll(); }

 private:
  bool screenshot_requested_ = false;
  Background<std::string> saving_;
};

}  // namespace orrery::shell
