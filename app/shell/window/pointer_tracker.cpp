#include "shell/window/pointer_tracker.hpp"

namespace orrery::shell {

PointerEvent PointerTracker::event(PointerEvent::Kind kind, PointerButton button) const {
  PointerEvent event{kind, button, position_};
  event.left_down = down_[0];
  event.middle_down = down_[1];
  event.right_down = down_[2];
  event.shift = modifiers_.shift;
  event.control = modifiers_.control;
  event.alt = modifiers_.alt;
  event.held = held_;
  return event;
}

std::vector<PointerEvent> PointerTracker::handle(const MouseMove& move, bool on_panel) {
  position_ = move.position;
  if (on_panel && !dragging()) return {};
  return {event(PointerEvent::Kind::move)};
}

std::vector<PointerEvent> PointerTracker::handle(const MouseButton& button, bool on_panel, double now) {
  constexpr double double_click_seconds = 0.35;
  constexpr float double_click_pixels = 5;
  modifiers_ = button.modifiers;
  held_ = button.held;
  if (button.pressed ? on_panel : !dragging()) return {};
  down_[static_cast<std::size_t>(button.button)] = button.pressed;
  if (!button.pressed) return {event(PointerEvent::Kind::release, button.button)};
  std::vector<PointerEvent> events{event(PointerEvent::Kind::press, button.button)};
  if (button.button != PointerButton::left) return events;
  const bool second = first_press_ && now - first_press_->when < double_click_seconds &&
                      glm::distance(position_, first_press_->position) < double_click_pixels;
  if (second) events.push_back(event(PointerEvent::Kind::double_click, button.button));
  first_press_ = second ? std::nullopt : std::optional(Press{now, position_});
  return events;
}

}  // namespace orrery::shell
