/// The state of the window as text: its scenes, and what a state file tells besides them. Window thread.
#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/files/state_text.hpp"
#include "base/shell_word.hpp"
#include "compute/device/device_info.hpp"
#include "scene/scene.hpp"

namespace orrery::shell {

using Scenes = std::vector<std::unique_ptr<Scene>>;

/// The scenes of a session at its beginning, in the order of their tabs. On no device.
Scenes make_scenes(SceneKinds kinds);
/// The scene of that name, or nullptr.
Scene* find_scene(const Scenes& scenes, std::string_view name);

/// What no scene knows of a state.
struct Unknown {
  StateTables tables;              ///< [window], too
  std::vector<std::string> names;  ///< "table [x]", "key nbody.x"
};
/// SceneKind::open() has read this content for a scene.
struct SceneContent {
  std::string scene = {};
  std::shared_ptr<void> content = {};
};
/// Each table to the scene of its name; [window] and [preset] are nobody's. Throws what Scene::load throws.
Unknown load_scenes(const StateTables& state, const Scenes& scenes, const SceneContent& content = {});

/// The key of [window] with the kernel files of a person's own that computed some of what the file tells, and its
/// value: "a.cl,b.clh"; empty where they were the installation's all the time.
inline constexpr const char* edited_kernels_key = "edited-kernels";
std::string edited_kernels_of(const StateTables& state);

/// What the table [window] tells.
struct WindowState {
  std::string scene;  ///< that is shown; empty: none
  std::vector<DeviceInfo> devices;
  glm::ivec2 size{0, 0};
  bool vsync = true;
};

/// The window, the edited kernels, and what Orrery does not know of the file that was loaded.
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

/// "orrery --scene nbody --softening 0.1": the choices and the view that differ from their defaults, quoted for a POSIX
/// shell. A simulation that it starts begins at the beginning.
std::string command_line(const Scene& scene);

}  // namespace orrery::shell
