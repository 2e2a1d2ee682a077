#include "scene/camera_hand.hpp"

#include <cmath>

#include "base/error.hpp"
#include "scene/scene.hpp"

namespace orrery {

bool CameraHand::follow(Camera& camera, const PointerEvent& event, int viewport_height, float slack) {
  const glm::vec2 moved = event.position - std::exchange(pointer_, event.position);
  if (event.kind == PointerEvent::Kind::move) {
    if (event.right_down || event.middle_down || (event.left_down && event.shift))
      camera.pan(moved, viewport_height);
    else if (event.left_down && click_.drag(event.position, slack))
      camera.orbit(moved, viewport_height);
    return false;
  }
  if (event.button != PointerButton::left) return false;
  if (event.kind == PointerEvent::Kind::press && !event.shift) click_.press(event.position);
  return event.kind == PointerEvent::Kind::release && click_.release();
}

std::vector<std::pair<std::string_view, double*>> camera_keys(Camera& camera) {
  return {{"camera-x", &camera.target.x},      {"camera-y", &camera.target.y},
          {"camera-z", &camera.target.z},      {"camera-distance", &camera.distance},
          {"camera-azimuth", &camera.azimuth}, {"camera-elevation", &camera.elevation}};
}

bool take_camera_key(Camera& camera, const std::string& key, const Value& value) {
  for (const auto& [name, target] : camera_keys(camera)) {
    if (name != key) continue;
    const auto number = finite_number(value);
    if (!number || (name == "camera-distance" && *number <= 0))
      throw usage_error(key, value_text({}, value),
                        name == "camera-distance" ? "a finite number above 0" : "a finite number");
    *target = *number;
    return true;
  }
  return false;
}

std::optional<double> finite_number(const Value& value) {
  if (const auto* real = std::get_if<double>(&value); real != nullptr && std::isfinite(*real)) return *real;
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  return std::nullopt;
}

}  // namespace orrery
