/// What a state file tells besides the scenes: the window, the edited kernels, and what Orrery does not know of the
/// file that was loaded. Window thread.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "compute/device/device_info.hpp"
#include "shell/files/scene_state.hpp"

namespace orrery::shell {

/// What the table [window] tells.
struct WindowState {
  std::string scene;  ///< that is shown; empty: none
  std::vector<DeviceInfo> devices;
  glm::ivec2 size{0, 0};
  bool vsync = true;
};

class Document {
 public:
  /// Another state has been loaded, of which no scene knows these tables and keys: they are kept.
  void take(const StateTables& unknown) { unknown_ = merged(unknown_, unknown); }
  /// Takes over which edited kernels have computed a part of a state; returns their names, "a.cl,b.clh".
  std::string take_edited_kernels(const StateTables& state);
  /// Kernels of that file compute from now on.
  void add_edited_kernel(const std::string& file) { edited_kernels_.insert(file); }

  StateTables state(const WindowState& window, const Scenes& scenes) const;
  /// What a picture of the scene has: the scene alone, as it was a moment ago, and no device. What it returns may be
  /// called on any thread.
  StateSource copy_of_shown(const WindowState& window, const Scene& scene) const;
  /// The same a moment ago, where that costs nothing now; what it returns may be called on any thread.
  std::function<StateTables()> copy(const WindowState& window, const Scenes& scenes) const;

 private:
  StateSection section_of(const WindowState& window) const;
  std::string edited_kernels() const;

  StateTables unknown_;
  std::set<std::string> edited_kernels_;  // files whose kernels have computed a part of the state
};

}  // namespace orrery::shell
