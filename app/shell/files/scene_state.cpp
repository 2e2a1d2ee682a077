#include "shell/files/scene_state.hpp"

#include <algorithm>
#include <iterator>

namespace orrery::shell {

Scenes make_scenes(SceneKinds kinds) {
  Scenes scenes;
  for (const SceneKind* kind : kinds) scenes.push_back(kind->make(*kind));
  return scenes;
}

Scene* find_scene(const Scenes& scenes, std::string_view name) {
  const auto found = std::ranges::find(scenes, name, [](const auto& scene) { return scene->kind().name; });
  return found == scenes.end() ? nullptr : found->get();
}

std::vector<std::string> load_scenes(const StateTables& state, const Scenes& scenes) {
  std::vector<std::string> unknown;
  for (const auto& [name, section] : state) {
    if (name == "window" || name == preset_table) continue;
    Scene* scene = find_scene(scenes, name);
    if (scene == nullptr) {
      unknown.push_back("table [" + name + "]");
      continue;
    }
    for (const std::string& key : scene->load(section)) unknown.push_back("key " + name + "." + key);
  }
  return unknown;
}

std::string edited_kernels_of(const StateTables& state) {
  const auto window = state.find("window");
  if (window == state.end()) return {};
  for (const auto& [key, value] : window->second)
    if (const auto* files = std::get_if<std::string>(&value); files != nullptr && key == edited_kernels_key)
      return *files;
  return {};
}

}  // namespace orrery::shell
