#include "scene/scene.hpp"

#include <algorithm>

namespace orrery {

StateSection Scene::choices() const {
  StateSection section;
  for (ParameterView& each : table())
    if (each.info.place != ParameterPlace::view && !each.open)
      section.emplace_back(each.info.name, std::move(each.value));
  return section;
}

StateSection Scene::defaults() const {
  StateSection section;
  for (ParameterView& each : table())
    if (each.info.place != ParameterPlace::view && each.usual)
      section.emplace_back(each.info.name, std::move(*each.usual));
  return section;
}

StateSection Scene::view_keys() const {
  StateSection section;
  bool moved = false;
  for (ParameterView& each : table()) {
    if (each.info.place != ParameterPlace::view) continue;
    moved = moved || each.usual != each.value;
    section.emplace_back(each.info.name, std::move(each.value));
  }
  return moved ? section : StateSection();
}

StateSection Scene::untouched() const {
  StateSection section;
  for (ParameterView& each : kind().make(kind())->table())
    if (each.info.place != ParameterPlace::view && !each.info.brought && !each.open && each.usual)
      section.emplace_back(each.info.name, std::move(*each.usual));
  section.emplace_back("paused", false);
  return section;
}

}  // namespace orrery
