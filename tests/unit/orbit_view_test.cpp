/// The view of objects around a point, and the range of a palette that follows them.
#include "scene/orbit_view.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "scene/gliding_range.hpp"

namespace orrery {
namespace {

PointerEvent event(PointerEvent::Kind kind, glm::vec2 at, bool down = false) {
  PointerEvent event{.kind = kind};
  event.position = at;
  event.left_down = down;
  return event;
}

class OrbitViews : public testing::Test {
 protected:
  OrbitViews() { view.fit({.size = {800, 600}, .scale = 2}); }
  void click(glm::vec2 at) {
    view.pointer(event(PointerEvent::Kind::press, at, true));
    view.pointer(event(PointerEvent::Kind::release, at));
  }
  OrbitView view{10};
};

// Half the height of the picture at the camera's target, in units of length.
double half_height(const OrbitView& view) { return view.picture_height() / 2; }

TEST_F(OrbitViews, AFitShowsAllOfFewAndNearlyAllOfMany) {
  const Camera before = view.camera();
  view.fit_to({{1, 3, 0}, {-2, -1, 0}, {1, -1, 0}, {std::nan(""), 0, 0}});
  EXPECT_EQ(view.camera().azimuth, before.azimuth);
  EXPECT_EQ(view.camera().target, glm::dvec3(-0.5, 1, 0));
  EXPECT_GT(half_height(view), std::hypot(1.5, 2));
  EXPECT_LT(half_height(view), 1.3 * std::hypot(1.5, 2));
  std::vector<glm::dvec3> many;
  for (int k = 0; k < 1000; ++k) many.emplace_back(std::cos(k), std::sin(k), 0);
  many.emplace_back(1e6, 0, 0);
  view.fit_to(many);
  EXPECT_LT(half_height(view), 1.3);
  const Camera fitted = view.camera();
  view.fit_to({});
  EXPECT_EQ(view.camera(), fitted);
}

TEST_F(OrbitViews, AClickAsksOnceForAnObjectNearIt) {
  click({500, 200});
  const auto pick = view.take_pick();
  ASSERT_TRUE(pick);
  EXPECT_EQ(pick->cursor, glm::vec2(100, 100)) << "from the middle, y up";
  EXPECT_EQ(pick->reach, 20) << "at this scale";
  EXPECT_FALSE(view.take_pick());
}

TEST_F(OrbitViews, ADragTurnsTheCameraAndPicksNothing) {
  const double before = view.camera().azimuth;
  view.pointer(event(PointerEvent::Kind::press, {100, 100}, true));
  view.pointer(event(PointerEvent::Kind::move, {200, 100}, true));
  view.pointer(event(PointerEvent::Kind::move, {300, 100}, true));
  view.pointer(event(PointerEvent::Kind::release, {300, 100}));
  EXPECT_NE(view.camera().azimuth, before);
  EXPECT_FALSE(view.take_pick());
}

TEST_F(OrbitViews, TheWheelKeepsAFollowedObjectInItsPlace) {
  const glm::dvec3 target = view.camera().target;
  view.scroll({{700, 100}, 3}, true);
  EXPECT_EQ(view.camera().target, target);
  view.scroll({{700, 100}, 3}, false);
  EXPECT_NE(view.camera().target, target);
}

TEST_F(OrbitViews, OtherObjectsWantAHomeUnlessAStateFileHasPlacedTheCamera) {
  EXPECT_TRUE(view.wants_home("galaxies"));
  EXPECT_FALSE(view.wants_home("galaxies")) << "the same objects again";
  Camera camera;
  camera.distance = 17;
  view.place(camera);
  EXPECT_FALSE(view.wants_home("plummer"));
  EXPECT_EQ(view.camera().distance, 17);
  EXPECT_TRUE(view.wants_home("galaxies"));
  EXPECT_EQ(view.home_of(), "galaxies");
}

TEST_F(OrbitViews, HomeKeepsTheFieldOfView) {
  Camera wide;
  wide.field_of_view = 1.2;
  view.place(wide);
  Camera home;
  home.distance = 3;
  view.go_home(home);
  EXPECT_EQ(view.camera().distance, 3);
  EXPECT_EQ(view.camera().field_of_view, 1.2);
}

TEST_F(OrbitViews, TheViewCirclesInAMinuteAndRestsAgain) {
  const double azimuth = view.camera().azimuth;
  view.orbit(1);
  EXPECT_EQ(view.camera().azimuth, azimuth);
  (void)view.toggle_orbit();
  for (int frame = 0; frame < 60 * 60; ++frame) view.orbit(1.0 / 60);
  EXPECT_NEAR(view.camera().azimuth, azimuth, 1e-9);
  view.orbit(5);
  EXPECT_NEAR(view.camera().azimuth, azimuth + std::numbers::pi / 6, 1e-9);
  (void)view.toggle_orbit();
  const Camera rests = view.camera();
  view.orbit(1);
  EXPECT_EQ(view.camera(), rests);
}

TEST_F(OrbitViews, AFollowedObjectTakesTheCameraAlong) {
  view.follow();
  for (int frame = 0; frame < 500; ++frame) view.move(glm::dvec3(1, 2, 3), 0.016);
  EXPECT_NEAR(glm::distance(view.camera().target, glm::dvec3(1, 2, 3)), 0, 1e-2);
  view.move(glm::dvec3(4, 2, 3), 0.016);
  EXPECT_NEAR(view.camera().target.x, 4, 1e-2);
}

TEST(GlidingRanges, MoveWithPublishedPicturesOnly) {
  GlidingRange range;
  const auto low_at = [&](std::int64_t published, double seconds, bool at_rest) {
    range.follow({1, 3}, GlidingRange::Moment{published, seconds}, at_rest, 1e-6);
    return range.now()->low;
  };
  range.follow({0, 1}, GlidingRange::Moment{1, 10}, false, 1e-6);
  EXPECT_EQ(low_at(1, 10.7, false), 0);
  EXPECT_NEAR(low_at(2, 10.7, false), 1 - std::exp(-1), 1e-12) << "as far as it would have come by then";
  EXPECT_NEAR(low_at(2, 11.4, true), 1 - std::exp(-2), 1e-12);
}

TEST(GlidingRanges, BeginAtTheFirstRangeAndApproachTheNext) {
  GlidingRange range;
  EXPECT_FALSE(range.now());
  range.follow({1, 2}, 0.1, 1e-3);
  EXPECT_EQ(*range.now(), (PaletteRange{1, 2}));
  range.follow({3, 4}, 0.1, 1e-3);
  EXPECT_GT(range.now()->low, 1);
  EXPECT_LT(range.now()->low, 3);
  for (int frame = 0; frame < 200; ++frame) range.follow({3, 4}, 0.1, 1e-3);
  const PaletteRange there = *range.now();
  range.follow({3, 4}, 0.1, 1e-3);
  EXPECT_EQ(*range.now(), there) << "a picture at rest is not drawn anew";
  range.follow({3, 4}, 100, 1e-3);
  EXPECT_EQ(*range.now(), (PaletteRange{3, 4})) << "whatever it was before";
}

// Doubling first lifts a limit that the device does not reach, then makes bursts longer.
TEST(SeenPaces, IsHalvedAndDoubledAndKeepsTheTimeStep) {
  EXPECT_EQ(changed_pace({0, 5}, false, 300, 1000), (SeenPace{150, 5}));
  EXPECT_EQ(changed_pace({0, 5}, false, 0, 1000), (SeenPace{150, 5})) << "60 frames a second, until a rate is measured";
  EXPECT_EQ(changed_pace({150, 5}, false, 149.7, 1000), (SeenPace{75, 5}));
  EXPECT_EQ(changed_pace({400, 5}, false, 90, 1000), (SeenPace{45, 5})) << "half of what is seen";
  EXPECT_EQ(changed_pace({1, 5}, false, 1, 1000), (SeenPace{1, 5}));
  EXPECT_EQ(changed_pace({2, 5}, false, 0.4, 1000), (SeenPace{1, 5}));
  EXPECT_EQ(changed_pace({0, 1000}, false, 123456, 1000), (SeenPace{62000, 1000})) << "two digits";
  EXPECT_EQ(changed_pace({150, 5}, true, 149.7, 1000), (SeenPace{300, 5}));
  EXPECT_EQ(changed_pace({150, 5}, true, 0, 1000), (SeenPace{300, 5})) << "paused";
  EXPECT_EQ(changed_pace({300, 5}, true, 180, 1000), (SeenPace{0, 5})) << "the device does not follow";
  EXPECT_EQ(changed_pace({900000, 5}, true, 900000, 1000), (SeenPace{0, 5}));
  EXPECT_EQ(changed_pace({0, 5}, true, 300, 1000), (SeenPace{0, 10}));
  EXPECT_EQ(changed_pace({0, 700}, true, 300, 1000), (SeenPace{0, 1000}));
  EXPECT_EQ(changed_pace({0, 1000}, true, 300, 1000), (SeenPace{0, 1000}));
}

}  // namespace
}  // namespace orrery
