/// A frame gets each key and button once: events that would be lost or overtaken wait for the next frame.
#include "shell/window/input_queue.hpp"

#include <gtest/gtest.h>

namespace orrery::shell {
namespace {

using What = KeyEvent::What;

constexpr int glfw_left_control = 341, glfw_enter = 257, glfw_left = 263;

KeyEvent pressed(Key key, int code, Modifiers modifiers = {}) { return {What::pressed, key, modifiers, code}; }
KeyEvent released(Key key, int code, Modifiers modifiers = {}) { return {What::released, key, modifiers, code}; }
MouseButton button(bool down) { return {PointerButton::left, down, {}}; }
MouseMove move(float x) { return {{x, 0}}; }

/// The number of events in each frame.
std::vector<std::size_t> portions(const std::vector<InputEvent>& events) {
  InputQueue queue;
  for (const InputEvent& event : events) queue.push(event);
  std::vector<std::size_t> counts;
  while (!queue.empty()) counts.push_back(queue.take().size());
  return counts;
}
using Counts = std::vector<std::size_t>;

TEST(InputQueue, AKeyThatIsPressedAndReleasedAtOnceIsDownForAFrame) {
  EXPECT_EQ(portions({pressed(Key::none, glfw_enter), released(Key::none, glfw_enter)}), (Counts{1, 1}));
  EXPECT_EQ(portions({pressed(Key::none, glfw_enter), released(Key::none, glfw_enter), pressed(Key::none, glfw_enter),
                      released(Key::none, glfw_enter)}),
            (Counts{1, 1, 1, 1}))
      << "and up for one between";
}

TEST(InputQueue, TextOfAnyLengthWithEnterNeedsOneFrame) {
  std::vector<InputEvent> typed;
  for (const char sign : {'1', '2', '3', '4'}) {
    typed.emplace_back(pressed(key(sign), sign));
    typed.emplace_back(Character{static_cast<unsigned>(sign)});
    typed.emplace_back(released(key(sign), sign));
  }
  typed.emplace_back(pressed(Key::none, glfw_enter));
  EXPECT_EQ(portions(typed), Counts{13});
  typed.emplace_back(Character{'5'});
  EXPECT_EQ(portions(typed), (Counts{13, 1})) << "what follows Enter is not entered by it";
}

TEST(InputQueue, AFrameTakesOneKeyAndADifferentKeyWaits) {
  EXPECT_EQ(portions({pressed(Key::left, glfw_left), pressed(Key::backspace, 259)}), (Counts{1, 1}));
}

TEST(InputQueue, ControlStaysDownForTheKeyThatItIsHeldWith) {
  EXPECT_EQ(portions({pressed(Key::none, glfw_left_control), pressed(key('V'), 'V', with_control),
                      released(Key::none, glfw_left_control), released(key('V'), 'V')}),
            (Counts{2, 2}));
}

/// The keys that a frame receives.
std::vector<Key> keys_told(const std::vector<InputEvent>& events) {
  InputQueue queue;
  for (const InputEvent& event : events) queue.push(event);
  std::vector<Key> keys;
  for (const InputEvent& event : queue.take())
    if (const auto* each = std::get_if<KeyEvent>(&event)) keys.push_back(each->key);
  return keys;
}

TEST(InputQueue, AKeyIsNamedByTheCharacterThatItEnters) {
  using Keys = std::vector<Key>;
  EXPECT_EQ(keys_told({pressed(key('8'), '8'), Character{'['}}), Keys{key('[')}) << "AltGr and 8 in Germany";
  EXPECT_EQ(keys_told({pressed(key('8'), '8', {.control = true, .alt = true}), Character{'['}}), Keys{key('[')})
      << "the same on Windows";
  EXPECT_EQ(keys_told({pressed(key('6'), '6'), Character{'-'}}), Keys{key('-')}) << "in France";
  EXPECT_EQ(keys_told({pressed(key('2'), '2'), Character{0xe9}}), Keys{key('2')}) << "é stands for no key";
  EXPECT_EQ(keys_told({pressed(key('Z'), 'Z'), Character{0x44f}}), Keys{key('Z')}) << "я is where Z is elsewhere";
  EXPECT_EQ(keys_told({pressed(Key::sign, ']'), Character{'+'}}), Keys{key('=')});
  EXPECT_EQ(keys_told({released(key('8'), '8'), Character{'['}}), Keys{key('8')});
}

TEST(InputQueue, AClickKeepsItsMousePosition) {
  EXPECT_EQ(
      portions({move(1), move(2), button(true), button(false), move(3), button(true), move(4), move(5), button(false)}),
      (Counts{3, 1, 2, 3}));
  EXPECT_EQ(portions({button(true), pressed(key('D'), 'D')}), (Counts{1, 1})) << "the click may begin a text";
  EXPECT_EQ(portions({Character{'1'}, button(true)}), (Counts{1, 1})) << "the click may end the text";
}

TEST(InputQueue, KeepsTheOrderAndLosesNothing) {
  InputQueue queue;
  for (int k = 0; k < 5; ++k) {
    queue.push(button(k % 2 == 0));
    queue.push(move(static_cast<float>(k)));
  }
  std::vector<InputEvent> all;
  while (!queue.empty())
    for (InputEvent& event : queue.take()) all.push_back(std::move(event));
  ASSERT_EQ(all.size(), 10U);
  for (std::size_t k = 0; k < 5; ++k) {
    EXPECT_EQ(std::get<MouseButton>(all[2 * k]).pressed, k % 2 == 0);
    EXPECT_EQ(std::get<MouseMove>(all[2 * k + 1]).position.x, static_cast<float>(k));
  }
}

}  // namespace
}  // namespace orrery::shell
