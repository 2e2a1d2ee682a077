/// The keys of the window, and the effects of some of them on the shown scene. Window thread.
#pragma once

#include <string>

#include "protocol/key_binding.hpp"
#include "scene/scene.hpp"
#include "shell/devices/open_devices.hpp"

namespace orrery::shell {

/// The keys that work in every scene.
KeyBindings window_keys();

/// The picture's corner in pixels of the framebuffer, origin top left.
inline glm::vec2 top_left(const Viewport& view) {
  return {view.origin.x, view.framebuffer.y - view.origin.y - view.size.y};
}

/// Selects the next larger (+1) or smaller (−1) legal work-group of the scene. No effect without a scene or open
/// devices.
void change_work_group(Scene* scene, const OpenDevices* devices, int direction);
/// Toggles an on/off parameter. `scene` may be null.
void toggle_parameter(Scene* scene, const std::string& name);

}  // namespace orrery::shell
