/// The keys of the window, and what some of them do to the scene that is shown. Window thread.
#pragma once

#include <string>

#include "protocol/key_binding.hpp"
#include "scene/scene.hpp"
#include "shell/devices/open_devices.hpp"

namespace orrery::shell {

/// Whichever scene is shown.
KeyBindings window_keys();

/// The picture's corner in pixels of the framebuffer, origin top left.
inline glm::vec2 top_left(const Viewport& view) {
  return {view.origin.x, view.framebuffer.y - view.origin.y - view.size.y};
}

/// To the next larger legal size of the scene's work-groups, or with −1 to the next smaller one. Without a scene or
/// open devices, nothing changes.
void change_work_group(Scene* scene, const OpenDevices* devices, int direction);
/// Inverts a parameter that is on or off. `scene` may be null.
void toggle_parameter(Scene* scene, const std::string& name);

}  // namespace orrery::shell
