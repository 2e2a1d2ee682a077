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

/// Each table to the scene of its name; [window] and [preset] are nobody's. Returns what no scene knows: "table [x]",
/// "key nbody.x". Throws what Scene::load throws.
std::vector<std::string> load_scenes(const StateTables& state, const Scenes& scenes);

/// The key of [window] with the kernel files of a person's own that computed some of what the file tells, and its
/// value: "a.cl,b.clh"; empty where they were the installation's all the time.
inline constexpr const char* edited_kernels_key = "edited-kernels";
std::string edited_kernels_of(const StateTables& state);

}  // namespace orrery::shell
