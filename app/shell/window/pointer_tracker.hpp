/// Follows the mouse: a press in the picture belongs to the picture until the last button is released. A plain value.
#pragma once

#include <array>
#include <glm/glm.hpp>
#include <optional>
#include <vector>

#include "scene/scene.hpp"
#include "shell/window/window.hpp"

namespace orrery::shell {

/// Positions are pixels of the framebuffer, origin top left.
class PointerTracker {
 public:
  /// What an event means for the picture: perhaps nothing. `on_panel`: the pointer is on a panel.
  std::vector<PointerEvent> handle(const MouseMove& move, bool on_panel);
  std::vector<PointerEvent> handle(const MouseButton& button, bool on_panel, double now);
  glm::vec2 position() const { return position_; }

 private:
  struct Press {
    double when;
    glm::vec2 position;
  };
  bool dragging() const { return down_[0] || down_[1] || down_[2]; }
  PointerEvent event(PointerEvent::Kind kind, PointerButton button = PointerButton::left) const;

  glm::vec2 position_{0, 0};
  std::array<bool, 3> down_{};
  Modifiers modifiers_;
  Key held_ = Key::none;
  std::optional<Press> first_press_;  // of what may become a double click
};

}  // namespace orrery::shell
