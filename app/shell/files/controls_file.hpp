/// Where the window's controls are, kept as a file for programs that drive the window from outside: a JSON object of
/// `places`, from "View/Fly to" to [x, y, width, height] in screen coordinates of the window, the number of `clicks`
/// that have had their effect on them, the `pointer` as they have seen it, whether one of them has the
/// `keyboard` and takes what is typed, what is `preparing` before the scene computes, empty once it can, whether the
/// picture is `moving`, and whether it is `complete`, so that nothing is left to compute. Input is handled in its
/// order: the file that has the pointer's last place tells of all that came before. ORRERY_CONTROLS names the file;
/// without it, nothing is written.
#pragma once

#include <filesystem>
#include <glm/glm.hpp>
#include <string>

#include "ui/panels.hpp"

namespace orrery::shell {

/// Window thread.
class ControlsFile {
 public:
  /// A frame, beside its controls.
  struct Moment {
    glm::vec2 pointer;
    std::string preparing;
    bool keyboard, moving, complete;
  };

  ControlsFile();

  bool wanted() const { return !file_.empty(); }
  /// Writes what was drawn last, where it differs from what the file has. Errors are logged.
  void follow(const ui::ControlList& seen, const Moment& moment);

 private:
  std::filesystem::path file_;
  std::string written_;
};

}  // namespace orrery::shell
