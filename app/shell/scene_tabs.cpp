#include "shell/scene_tabs.hpp"

#include <algorithm>

namespace orrery::shell {

void SceneTabs::add(std::unique_ptr<Scene> scene) {
  scenes_.push_back(std::move(scene));
  if (shown_ == nullptr) shown_ = scenes_.back().get();
}

void SceneTabs::show(std::string_view name) {
  if (Scene* const scene = find_scene(scenes_, name)) shown_ = scene;
}

void SceneTabs::show_next(int tabs) {
  const auto at = std::ranges::find(scenes_, shown_, [](const auto& scene) { return scene.get(); });
  if (at == scenes_.end()) return;
  const auto count = std::ssize(scenes_), next = (at - scenes_.begin() + tabs) % count;
  shown_ = scenes_[static_cast<std::size_t>(next < 0 ? next + count : next)].get();
}

}  // namespace orrery::shell
