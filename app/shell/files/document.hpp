/// The state of the window as text: its scenes and the other tables of a state file. Window thread.
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

/// Creates the scenes of a session in the order of their tabs, without a device.
Scenes make_scenes(SceneKinds kinds);
/// The scene of that name, or nullptr.
Scene* find_scene(const Scenes& scenes, std::string_view name);

/// Tables and keys of a state that no scene knows.
struct Unknown {
  StateTables tables;              ///< includes [window]
  std::vector<std::string> names;  ///< "table [x]", "key nbody.x"
};
/// Content that SceneKind::open() has read for a scene.
struct SceneContent {
  std::string scene = {};
  std::shared_ptr<void> content = {};
};
/// Loads each table into the scene of its name, except [window] and [preset]. Throws Scene::load's exceptions.
Unknown load_scenes(const StateTables& state, const Scenes& scenes, const SceneContent& content = {});

/// The key of [window] for edited kernel files that computed part of the state, and its value: "a.cl,b.clh"; empty:
/// only the installation's kernels.
inline constexpr const char* edited_kernels_key = "edited-kernels";
std::string edited_kernels_of(const StateTables& state);

/// Values of the table [window].
struct WindowState {
  std::string scene;  ///< shown scene; empty: none
  std::vector<DeviceInfo> devices;
  glm::ivec2 size{0, 0};
  bool vsync = true;
};

/// The window, the edited kernels, and the unknown parts of the loaded file.
class Document {
 public:
  /// Keeps the tables and keys of a loaded state that no scene knows.
  void take(const StateTables& unknown) { unknown_ = merged(unknown_, unknown); }
  /// Takes over the edited kernels that computed part of a state; returns their names, "a.cl,b.clh".
  std::string take_edited_kernels(const StateTables& state);
  /// Notes that edited kernels of that file compute from now on.
  void add_edited_kernel(const std::string& file) { edited_kernels_.insert(file); }

  StateTables state(const WindowState& window, const Scenes& scenes) const;
  /// The state for a picture of the scene: the scene alone, slightly earlier, without devices. The result may be called
  /// on any thread.
  StateSource copy_of_shown(const WindowState& window, const Scene& scene) const;
  /// A slightly earlier state(), if a fresh one costs time; the result may be called on any thread.
  std::function<StateTables()> copy(const WindowState& window, const Scenes& scenes) const;

 private:
  StateSection section_of(const WindowState& window) const;
  std::string edited_kernels() const;

  StateTables unknown_;
  std::set<std::string> edited_kernels_;  // files with kernels that computed part of the state
};

/// "orrery --scene nbody --softening 0.1": choices and view that differ from their defaults, quoted for a POSIX shell.
/// A simulation starts from its beginning.
std::string command_line(const Scene& scene);

}  // namespace orrery::shell
