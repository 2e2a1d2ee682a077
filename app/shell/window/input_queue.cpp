#include "shell/window/input_queue.hpp"

#include <algorithm>

namespace orrery::shell {
namespace {

bool is_sign(Key key) { return key != Key::none && key < Key::escape; }

/// The events given to a frame so far.
class Portion {
 public:
  /// Takes the event and returns true, unless it must wait.
  bool takes(const InputEvent& event) {
    return std::visit([this](const auto& e) { return takes(e); }, event);
  }

 private:
  // A click keeps the position at which it happened.
  bool takes(const MouseMove&) { return buttons_.empty() && !wheel_; }
  bool takes(const MouseInside&) { return true; }
  bool takes(const FileDrop&) { return true; }
  bool takes(const MouseButton& event) {
    if (command_ || text_ || wheel_ || std::ranges::find(buttons_, event.button) != buttons_.end()) return false;
    buttons_.push_back(event.button);
    return true;
  }
  bool takes(const MouseWheel&) {
    if (!buttons_.empty()) return false;
    return wheel_ = true;
  }
  // ImGui enters text before it looks at keys: text after a key must wait, text before a key need not.
  bool takes(const Character&) {
    if (!buttons_.empty() || command_) return false;
    return text_ = true;
  }
  bool takes(const Focus&) { return buttons_.empty() && !command_ && !text_; }

  bool takes(const KeyEvent& event) {
    // For a key that enters text, only the text counts.
    const bool enters_text = is_sign(event.key) && !event.modifiers.control && !event.modifiers.alt;
    if (event.what == KeyEvent::What::released) {
      if (is_modifier(event)) return buttons_.empty() && !command_ && !modifiers_;
      if (command_ && !enters_text) return false;
      released_.push_back(event.code);
      return true;
    }
    const bool was_down = std::ranges::find(released_, event.code) != released_.end();
    if (!buttons_.empty() || command_ || (was_down && !enters_text)) return false;
    if (is_modifier(event)) return modifiers_ = true;
    if (!enters_text) command_ = true;
    return true;
  }

  // Shift, Control, Alt and Super of both sides are GLFW's keys 340 to 347.
  static bool is_modifier(const KeyEvent& event) { return event.code >= 340 && event.code <= 347; }

  std::vector<PointerButton> buttons_;  // buttons pressed or released
  std::vector<int> released_;           // keys
  bool command_ = false;                // a command key was pressed
  bool modifiers_ = false;              // Shift, Control or Alt was pressed
  bool text_ = false;
  bool wheel_ = false;
};

}  // namespace

// On a key with several signs, the entered character decides. Windows reports AltGr as Control and Alt.
void InputQueue::push(InputEvent event) {
  const auto* const entered = std::get_if<Character>(&event);
  auto* const pressed = waiting_.empty() ? nullptr : std::get_if<KeyEvent>(&waiting_.back());
  if (entered != nullptr && pressed != nullptr && is_sign(pressed->key) && pressed->what != KeyEvent::What::released &&
      pressed->modifiers.control == pressed->modifiers.alt)
    if (const Key meant = key_of_character(entered->code_point); meant != Key::none) {
      pressed->key = meant;
      pressed->modifiers.control = pressed->modifiers.alt = false;
    }
  waiting_.push_back(std::move(event));
}

std::vector<InputEvent> InputQueue::take() {
  std::vector<InputEvent> events;
  for (Portion portion; !waiting_.empty() && portion.takes(waiting_.front()); waiting_.pop_front())
    events.push_back(std::move(waiting_.front()));
  return events;
}

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

std::vector<PointerEvent> PointerTracker::handle(const MouseButton& button, bool on_panel, EventTime when) {
  constexpr double double_click_seconds = 0.35;
  constexpr float double_click_pixels = 5;
  modifiers_ = button.modifiers;
  held_ = button.held;
  if (button.pressed ? on_panel : !dragging()) return {};
  down_[static_cast<std::size_t>(button.button)] = button.pressed;
  if (!button.pressed) return {event(PointerEvent::Kind::release, button.button)};
  std::vector<PointerEvent> events{event(PointerEvent::Kind::press, button.button)};
  if (button.button != PointerButton::left) return events;
  // Slow frames see two quick clicks late, perhaps in different frames.
  const bool second = first_press_ && when.earliest - first_press_->when < double_click_seconds &&
                      glm::distance(position_, first_press_->position) < double_click_pixels;
  if (second) events.push_back(event(PointerEvent::Kind::double_click, button.button));
  first_press_ = second ? std::nullopt : std::optional(Press{when.latest, position_});
  return events;
}

}  // namespace orrery::shell
