/// Where the window's controls are, kept as a file for programs that drive the window from outside: a JSON object of
/// `places`, from "View/Fly to" to [x, y, width, height] in screen coordinates of the window, the number of `clicks`
/// that have had their effect on them, the `pointer` as they have seen it, whether one of them has the
/// `keyboard` and takes what is typed, whether keys are `led` through them instead (F6), what is `preparing` before the
/// scene computes, empty once it can, whether the picture is `moving`, and whether it is `complete`, so that nothing is
/// left to compute (`idle` says why). Progress shows in `launches`, which counts those of the scene's kernels, and
/// `device` names where they run. Input is handled in its order: the file that has the pointer's last place tells of
/// all that came before. It also has all that can be done: the `rows` of the search and the `keys`; and what a person
/// is told: the `notices`, `failures` and `faults` so far, the last ones, each with its number. ORRERY_CONTROLS names
/// the file; without it, nothing is written.
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
  /// A frame, beside its controls.
  struct Moment {
    glm::vec2 pointer;
    std::string preparing;
    bool keyboard, moving;
  };

  ControlsFile();

  bool wanted() const { return !file_.empty(); }
  /// Writes what was drawn last, where it differs from what the file has. Errors are logged.
  void follow(const ui::UiState& ui, const WindowSnapshot& window, const Moment& moment);

 private:
  /// Texts that have been shown, the last ones, with their numbers.
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
