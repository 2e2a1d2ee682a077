/// A camera in a person's hand, and in state files. Window thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/parameter.hpp"
#include "render/camera.hpp"
#include "scene/follow.hpp"

namespace orrery {

struct PointerEvent;

/// Left drag orbits; right, middle or Shift drag pans.
class CameraHand {
 public:
  /// Moves the camera; true for a click: the left button was pressed and released without moving. `slack` is how many
  /// pixels a hand may shake.
  bool follow(Camera& camera, const PointerEvent& event, int viewport_height, float slack);
  glm::vec2 pointer() const { return pointer_; }

 private:
  glm::vec2 pointer_{0, 0};
  ClickWatch click_;
};

/// The camera as keys of a state file.
std::vector<std::pair<std::string_view, double*>> camera_keys(Camera& camera);
/// True when the key is the camera's. Throws a usage Error for a bad value.
bool take_camera_key(Camera& camera, const std::string& key, const Value& value);
/// Of a real or a whole number; nothing of anything else.
std::optional<double> finite_number(const Value& value);

}  // namespace orrery
