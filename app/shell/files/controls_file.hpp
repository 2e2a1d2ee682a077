/// Where the window's controls are, kept as a file for programs that drive the window from outside: a JSON object of
/// `places`, from "View/Fly to" to [x, y, width, height] in screen coordinates of the window, the number of `clicks`
/// that have had their effect on them, and what is `preparing` before the scene computes, empty once it can.
/// ORRERY_CONTROLS names the file; without it, nothing is written.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "ui/panels.hpp"

namespace orrery::shell {

/// Window thread.
class ControlsFile {
 public:
  ControlsFile();

  bool wanted() const { return !file_.empty(); }
  /// Writes those that were drawn last, where they are not where they were. Errors are logged.
  void follow(const ui::ControlList& seen, const std::string& preparing);

 private:
  std::filesystem::path file_;
  // As they were written.
  std::map<std::string, ui::Rect> places_;
  int clicks_ = 0;
  std::string preparing_;
};

}  // namespace orrery::shell
