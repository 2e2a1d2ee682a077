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
  /// Writes the controls that were drawn last and what is being prepared, where either has changed. Errors are logged.
  void follow(const ui::ControlList& seen, const std::string& preparing);

 private:
  std::filesystem::path file_;
  // The file has these values.
  std::map<std::string, ui::Rect> places_;
  int clicks_ = 0;
  std::string preparing_;
};

}  // namespace orrery::shell
