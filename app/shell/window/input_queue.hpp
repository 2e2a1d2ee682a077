/// A queue of keyboard and mouse events, handed out in portions: one for each frame.
///
/// A frame sees the state of each key and button once, so that a key that is pressed and released within a slow frame
/// would be lost, and so would be the place of a click where the mouse has moved on. A portion therefore ends before an
/// event that would hide or overtake another one in it; the rest waits for the next frame. Text and movements are not
/// delayed.
///
/// ImGui does this by itself from version 1.87 on, but the picture's own keys and buttons need the same. A plain value.
#pragma once

#include <array>
#include <deque>
#include <glm/glm.hpp>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "protocol/key_binding.hpp"
#include "scene/scene.hpp"

namespace orrery::shell {

struct MouseMove {
  glm::vec2 position;        ///< centre of the pixel pointed at; framebuffer pixels, origin top left
  glm::dvec2 at = position;  ///< in screen coordinates of the window
};
/// The mouse enters or leaves the window.
struct MouseInside {
  bool inside;
};
/// The time of an event, in seconds of the process's clock: between two polls of the window.
struct EventTime {
  double earliest = 0, latest = 0;

  EventTime() = default;
  EventTime(double at) : earliest(at), latest(at) {}
  EventTime(double after, double until) : earliest(after), latest(until) {}
};
struct MouseButton {
  PointerButton button;
  bool pressed;
  Modifiers modifiers;
  Key held = Key::none;  ///< held letter
  EventTime when = {};
};
struct MouseWheel {
  double steps;
  Modifiers modifiers;
  double across = 0;
};
struct KeyEvent {
  enum class What { pressed, repeated, released } what;
  Key key;
  Modifiers modifiers;
  int code = 0, scancode = 0;  ///< GLFW's codes
};
struct Character {
  unsigned code_point;
};
struct Focus {
  bool gained;
};
struct FileDrop {
  std::vector<std::string> paths;
};
using InputEvent = std::variant<MouseMove, MouseInside, MouseButton, MouseWheel, KeyEvent, Character, Focus, FileDrop>;

class InputQueue {
 public:
  void push(InputEvent event);
  bool empty() const { return waiting_.empty(); }
  /// The events of the next frame, in order.
  std::vector<InputEvent> take();

 private:
  std::deque<InputEvent> waiting_;
};

/// Follows the mouse: a press in the picture belongs to the picture until the last button is released. A plain value.
/// Positions are pixels of the framebuffer, origin top left.
class PointerTracker {
 public:
  /// Translates an event into events of the picture, perhaps none. `on_panel`: the pointer is on a panel.
  std::vector<PointerEvent> handle(const MouseMove& move, bool on_panel);
  std::vector<PointerEvent> handle(const MouseButton& button, bool on_panel, EventTime when);
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
  std::optional<Press> first_press_;  // first press of a possible double click
};

}  // namespace orrery::shell
