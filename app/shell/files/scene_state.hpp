/// The scenes of a session, and what state files say about them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/files/state_text.hpp"
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

}  // namespace orrery::shell
