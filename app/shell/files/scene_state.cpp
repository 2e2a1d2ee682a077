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

Unknown load_scenes(const StateTables& state, const Scenes& scenes, const SceneContent& content) {
  Unknown unknown;
  for (const auto& [name, section] : state) {
    if (name == preset_table) continue;
    if (name == "window") {
      std::ranges::copy_if(section, std::back_inserter(unknown.tables[name]),
                           [](const auto& entry) { return entry.first != apart_key; });
      continue;
    }
    Scene* scene = find_scene(scenes, name);
    if (scene == nullptr) {
      unknown.names.push_back("table [" + name + "]");
      unknown.tables[name] = section;
      continue;
    }
    for (const std::string& key : scene->load(section, name == content.scene ? content.content : nullptr)) {
      unknown.names.push_back("key " + name + "." + key);
      if (const Value* const value = value_of(section, key)) unknown.tables[name].emplace_back(key, *value);
    }
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
