/// Keeps a body in the middle of the view. Plain values, no device; any one thread.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "render/camera.hpp"

namespace orrery {

class BodyFollower {
 public:
  /// A new body: the camera's target glides to it, then moves along with it.
  void begin() { place_.reset(), gliding_ = true; }
  /// Stays where it is.
  void release() { place_.reset(), gliding_ = false; }
  /// Moves the camera by one frame of that many seconds; `place` is where the body is drawn now, if that is known. What
  /// else moves the camera's target (panning) stays as an offset from the body.
  void move(Camera& camera, const std::optional<glm::dvec3>& place, double frame);

 private:
  std::optional<glm::dvec3> place_;  // in the last frame
  bool gliding_ = false;
  glm::dvec3 left_{0, 0, 0};  // of the glide
};

/// Tells a click from a drag: the hand may shake a little. Pixels.
class ClickWatch {
 public:
  void press(glm::vec2 at) { pressed_ = at; }
  /// The pointer moved with the button down; true once it is a drag.
  bool drag(glm::vec2 at, float slack) {
    if (pressed_ && glm::distance(*pressed_, at) > slack) pressed_.reset();
    return !pressed_;
  }
  /// True when it was a click.
  bool release() { return std::exchange(pressed_, std::nullopt).has_value(); }

 private:
  std::optional<glm::vec2> pressed_;  // and not dragged since
};

}  // namespace orrery
