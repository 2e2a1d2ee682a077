/// A file with the window's controls for programs that drive the window. A JSON object: `places`, from "View/Fly to" to
/// [x, y, width, height] in screen coordinates of the window; `clicks`, the number of handled clicks; `pointer`, its
/// last handled position; `keyboard`: a control takes text input; `led`: keys move between controls (F6); `preparing`,
/// the preparation before the scene computes, empty once it can; `moving`: the picture moves; `complete`: nothing is
/// left to compute (`idle` says why). `launches` counts launches of the scene's kernels, and `device` names their
/// device. Input is handled in order: a file with the pointer's last position reflects all earlier input. It also lists
/// the `rows` of the search, the `keys`, and the last `notices`, `failures` and `faults`, each with its number.
/// ORRERY_CONTROLS names the file; without it, nothing is written.
#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <glm/glm.hpp>
#include <string>
#include <utility>
#include <vector>

#include "ui/panels.hpp"

namespace orrery::shell {

/// Window thread.
class ControlsFile {
 public:
  /// Data of a frame besides its controls.
  struct Moment {
    glm::vec2 pointer;
    std::string preparing;
    bool keyboard, moving;
  };

  ControlsFile();

  bool wanted() const { return !file_.empty(); }
  /// Writes the last drawn frame if it differs from the file. Errors are logged.
  void follow(const ui::UiState& ui, const WindowSnapshot& window, const Moment& moment);

 private:
  /// The last texts shown, with their numbers.
  struct Told {
    std::vector<std::string> shown;
    std::uint64_t count = 0;
    std::deque<std::pair<std::uint64_t, std::string>> last;

    void follow(std::vector<std::string> texts);
  };

  Told notices_, faults_, failures_;
  std::filesystem::path file_;
  std::string written_;
};

}  // namespace orrery::shell
