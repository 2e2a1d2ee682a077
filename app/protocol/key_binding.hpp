/// Bindings of keys and gestures: one table for the window and one for each scene. The handling of keys, the help page
/// and the manual's list are made of these tables. Plain values.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/command.hpp"

namespace orrery {

/// A key of the keyboard. A printable one has the value of the capital letter or sign that is printed on it; "+" has
/// that of "=".
enum class Key : int {
  none = 0,
  sign = 1,  ///< a printable key without a binding
  space = ' ',
  escape = 256,
  tab,
  back_tab,  ///< Tab with Shift
  backspace,
  remove,  ///< Delete
  home,
  end,
  page_up,
  page_down,
  left,
  right,
  up,
  down,
  f1,
  f2,
  f6,
  f9,
  f11,
  f12,
};
constexpr Key key(char sign) { return static_cast<Key>(sign); }
/// The key of a character; none for an unmapped character.
constexpr Key key_of_character(unsigned code_point) {
  if (code_point >= 'a' && code_point <= 'z') return static_cast<Key>(code_point - 'a' + 'A');
  if (code_point == '+') return key('=');
  const bool plain = (code_point >= 'A' && code_point <= 'Z') || (code_point >= '0' && code_point <= '9');
  const bool sign = code_point == '=' || code_point == '-' || code_point == '[' || code_point == ']' ||
                    code_point == '.' || code_point == ',' || code_point == '<' || code_point == '>';
  return plain || sign ? static_cast<Key>(code_point) : Key::none;
}

/// Modifier keys. Without Control, Shift is for gestures and signs: a key with Shift falls back to the binding without
/// it.
struct Modifiers {
  bool control = false, alt = false, shift = false;
};
inline constexpr Modifiers with_control{.control = true}, with_alt{.alt = true}, with_shift{.shift = true},
    with_control_and_shift{.control = true, .shift = true};

struct KeyBinding {
  Key key = Key::none;       ///< none: a mouse gesture, which is only listed
  Modifiers modifiers = {};  ///< control and alt must match exactly; shift only with control
  std::string_view shown;    ///< name in the list, "Ctrl+S"; empty: another key of the row above
  std::string_view help;     ///< its action, "Pause or continue"
  std::optional<command::Command> action = {};
  bool while_typing = false;    ///< also active while a text field has the keyboard
  std::string_view title = {};  ///< action of this key in a row of several: "Larger panels"
};
using KeyBindings = std::span<const KeyBinding>;

/// Appends the keys that open presets of the scene's gallery.
inline std::vector<KeyBinding> with_preset_keys(std::vector<KeyBinding> keys) {
  keys.push_back({key('1'), {}, "1 … 9", "Open a preset of the gallery", command::OpenPreset{1}});
  for (int number = 2; number <= 9; ++number)
    keys.push_back({key(static_cast<char>('0' + number)), {}, "", "", command::OpenPreset{number}});
  return keys;
}

/// The printed letters of a non-Latin layout, by the keys' position on an American keyboard: 'T' → "е" on a Russian
/// one. Empty for Latin layouts.
using OtherLetters = std::map<char, std::string>;

/// The keys of a list with their printed letters: "Ctrl+Z (я)".
inline std::string shown_on(const OtherLetters& layout, std::string_view shown) {
  std::string text;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const auto in_word = [&](std::size_t at) {
      const char c = at < shown.size() ? shown[at] : ' ';
      return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
    };
    text += shown[i];
    const bool alone = !in_word(i) || (!in_word(i + 1) && !(i > 0 && in_word(i - 1)));
    if (const auto other = layout.find(shown[i]); alone && other != layout.end()) text += " (" + other->second + ")";
  }
  return text;
}

/// The binding of a key that is pressed with these modifiers, or nullptr.
inline const KeyBinding* find_binding(KeyBindings bindings, Key key, Modifiers modifiers) {
  const KeyBinding* without_shift = nullptr;
  for (const KeyBinding& each : bindings) {
    if (!each.action || each.key != key || each.modifiers.control != modifiers.control ||
        each.modifiers.alt != modifiers.alt)
      continue;
    if (each.modifiers.shift == modifiers.shift) return &each;
    if (!modifiers.control && !each.modifiers.shift) without_shift = &each;
  }
  return without_shift;
}

}  // namespace orrery
