/// A press in the picture belongs to the picture until the last button is released.
#include "shell/window/input_queue.hpp"

#include <gtest/gtest.h>

namespace orrery::shell {
namespace {

using Kind = PointerEvent::Kind;
using Kinds = std::vector<Kind>;

Kinds kinds_of(const std::vector<PointerEvent>& events) {
  Kinds kinds;
  for (const PointerEvent& event : events) kinds.push_back(event.kind);
  return kinds;
}

MouseButton press(PointerButton button = PointerButton::left) { return {button, true, {}}; }
MouseButton release(PointerButton button = PointerButton::left) { return {button, false, {}}; }

TEST(PointerTracker, GivesThePictureNoInputOfAPanel) {
  PointerTracker pointer;
  EXPECT_EQ(kinds_of(pointer.handle(MouseMove{{10, 20}}, true)), Kinds{});
  EXPECT_EQ(kinds_of(pointer.handle(press(), true, 1)), Kinds{});
  EXPECT_EQ(kinds_of(pointer.handle(MouseMove{{500, 20}}, true)), Kinds{});
  EXPECT_EQ(kinds_of(pointer.handle(release(), false, 2)), Kinds{}) << "the press was the panel's";
  EXPECT_EQ(pointer.position(), glm::vec2(500, 20)) << "known all the same";
}

TEST(PointerTracker, KeepsADragThatCrossesAPanel) {
  PointerTracker pointer;
  pointer.handle(MouseMove{{500, 20}}, false);
  EXPECT_EQ(kinds_of(pointer.handle(press(), false, 1)), Kinds{Kind::press});
  const auto moved = pointer.handle(MouseMove{{10, 20}}, true);
  ASSERT_EQ(kinds_of(moved), Kinds{Kind::move});
  EXPECT_TRUE(moved.front().left_down);
  EXPECT_EQ(moved.front().position, glm::vec2(10, 20));
  EXPECT_EQ(kinds_of(pointer.handle(release(), true, 2)), Kinds{Kind::release});
  EXPECT_EQ(kinds_of(pointer.handle(MouseMove{{12, 20}}, true)), Kinds{});
}

TEST(PointerTracker, EndsADragWithTheLastButton) {
  PointerTracker pointer;
  pointer.handle(press(), false, 1);
  pointer.handle(press(PointerButton::right), false, 1.1);
  pointer.handle(release(), false, 1.2);
  const auto moved = pointer.handle(MouseMove{{10, 20}}, true);
  ASSERT_EQ(kinds_of(moved), Kinds{Kind::move});
  EXPECT_FALSE(moved.front().left_down);
  EXPECT_TRUE(moved.front().right_down);
  pointer.handle(release(PointerButton::right), true, 1.3);
  EXPECT_EQ(kinds_of(pointer.handle(MouseMove{{11, 20}}, true)), Kinds{});
}

// The window polls for input once per frame.
TEST(PointerTracker, TakesTwoPressesOfSlowFramesForADoubleClickWhereTheyMayHaveBeenQuick) {
  for (const bool quick : {true, false}) {
    PointerTracker pointer;
    pointer.handle(press(), false, {1, 1.5});
    pointer.handle(release(), false, {1.5, 2});
    const auto second = pointer.handle(press(), false, quick ? EventTime{1.5, 2} : EventTime{2, 2.5});
    EXPECT_EQ(kinds_of(second), (quick ? Kinds{Kind::press, Kind::double_click} : Kinds{Kind::press}));
  }
}

TEST(PointerTracker, TakesTwoQuickPressesAtAPlaceForADoubleClick) {
  struct Second {
    double when;
    glm::vec2 position;
    bool doubled;
  };
  for (const Second& second :
       {Second{1.2, {503, 20}, true}, Second{1.5, {500, 20}, false}, Second{1.2, {510, 20}, false}}) {
    PointerTracker pointer;
    pointer.handle(MouseMove{{500, 20}}, false);
    pointer.handle(press(), false, 1);
    pointer.handle(release(), false, 1.05);
    pointer.handle(MouseMove{second.position}, false);
    const Kinds expected = second.doubled ? Kinds{Kind::press, Kind::double_click} : Kinds{Kind::press};
    EXPECT_EQ(kinds_of(pointer.handle(press(), false, second.when)), expected) << second.when << " s";
    pointer.handle(release(), false, second.when + 0.05);
    // A third press begins another pair, unless the second press has begun one.
    EXPECT_EQ(kinds_of(pointer.handle(press(), false, second.when + 0.1)),
              second.doubled ? Kinds{Kind::press} : (Kinds{Kind::press, Kind::double_click}));
  }
}

TEST(PointerTracker, ReportsTheModifiersOfTheLastPress) {
  PointerTracker pointer;
  Modifiers shift;
  shift.shift = true;
  EXPECT_TRUE(pointer.handle(MouseButton{PointerButton::left, true, shift}, false, 1).front().shift);
  EXPECT_TRUE(pointer.handle(MouseMove{{1, 2}}, false).front().shift);
  EXPECT_FALSE(pointer.handle(release(), false, 2).front().shift);
}

}  // namespace
}  // namespace orrery::shell
