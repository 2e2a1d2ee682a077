/// The window's scenes in the order of their tabs, and the shown one. Window thread.
#pragma once

#include <memory>
#include <string_view>

#include "scene/scene_kind.hpp"
#include "shell/files/document.hpp"

namespace orrery::shell {

class SceneTabs {
 public:
  explicit SceneTabs(SceneKinds kinds) : kinds_(kinds) {}

  SceneKinds kinds() const { return kinds_; }
  const Scenes& all() const { return scenes_; }
  /// Null while there is no scene.
  Scene* shown() const { return shown_; }
  void add(std::unique_ptr<Scene> scene);
  /// No effect if no scene has that name.
  void show(std::string_view name);
  /// Shows the scene `tabs` positions further, cyclically.
  void show_next(int tabs);

 private:
  SceneKinds kinds_;
  Scenes scenes_;
  Scene* shown_ = nullptr;
};

}  // namespace orrery::shell
