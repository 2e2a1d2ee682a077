#include "scenes/mandelbrot/window/view_motion.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace orrery {
namespace {

using mandelbrot::Placement;
using mandelbrot::View;

constexpr mandelbrot::Size size{1280, 720};
constexpr double frame = 1.0 / 60;

View view(const char* re, const char* im, const char* span) {
  return {Decimal::parse(re, "re"), Decimal::parse(im, "im"), Decimal::parse(span, "span")};
}

const View whole = view("-0.651155", "0", "3");
const View shallow = view("-0.7436438870371587", "0.1318259042053119", "3e-9");
const View deep = view("-1.401155189092050600523826787893861292", "1e-37", "2.5e-400");

ViewMotion motion_at(const View& start) {
  ViewMotion motion(start);
  motion.set_size(size);
  return motion;
}

/// The place in `to` of a point given by its place in `from` (in spans).
Placement carried(const View& from, double x, double y, const View& to) {
  return placement(to, placed(from, {x, y, 1}));
}

/// The apparent distance of two nearby views by van Wijk and Nuij (equation 4, ρ = 1.3).
double apparent_way(const View& a, const View& b) {
  const Placement there = placement(a, b);
  const double mean = std::sqrt(there.factor), rho = 1.3;
  return std::hypot(std::log(there.factor) / rho, rho * std::hypot(there.x, there.y) / mean);
}

TEST(ViewMotion, TheWheelKeepsThePointUnderTheCursorAllTheWay) {
  for (const View& start : {whole, deep}) {
    ViewMotion motion = motion_at(start);
    const double x = 0.37, y = -0.11;  // from the middle, in widths of the picture
    for (int click = 0; click < 5; ++click)
      motion.zoom(size.width * (0.5 + x), 0.5 * size.height - y * size.width, 0.75);
    for (int i = 0; motion.moving(); ++i) {
      ASSERT_LT(i, 200);
      motion.advance(frame);
      const Placement held = carried(start, x, y, motion.present());
      ASSERT_NEAR(held.x, x, 1e-9) << i;
      ASSERT_NEAR(held.y, y, 1e-9) << i;
    }
    EXPECT_NEAR(ratio(motion.present().span, start.span), std::pow(0.75, 5), 1e-12);
  }
}

TEST(ViewMotion, GoingBackTakesTwoSecondsAtTheMost) {
  ViewMotion motion = motion_at(whole);
  motion.advance(1);  // it rests, and counts as visited
  motion.fly_to(deep);
  EXPECT_GT(*motion.flight_seconds_left(), 60);
  motion.jump_to(deep);
  motion.advance(1);
  motion.back();
  EXPECT_LE(*motion.flight_seconds_left(), 2 + 1e-9);
  for (double passed = 0; passed < 2 + frame; passed += frame) motion.advance(frame);
  EXPECT_EQ(motion.present(), whole);
  EXPECT_FALSE(motion.moving());
}

TEST(ViewMotion, AFlightWaitsForItsPicturesAndGoingBackDoesNot) {
  const auto seconds = [](ViewMotion& motion, double octaves_behind) {
    int frames = 0;
    for (; motion.moving() && frames < 10'000; ++frames) {
      motion.wait_for_pictures(octaves_behind, frame);
      motion.advance(frame);
    }
    return frames * frame;
  };
  const auto flown = [&](double octaves_behind) {
    ViewMotion motion = motion_at(whole);
    motion.fly_to(shallow);
    const double alone = *motion.flight_seconds_left();
    return seconds(motion, octaves_behind) / alone;
  };
  EXPECT_NEAR(flown(1.5), 1, 0.01);
  EXPECT_GT(flown(3), 1.4);
  EXPECT_LT(flown(3), 1.7);
  EXPECT_GT(flown(20), 3);
  EXPECT_LT(flown(20), 4);

  ViewMotion motion = motion_at(whole);
  motion.advance(1);  // it rests, and counts as visited
  motion.jump_to(deep);
  motion.advance(1);
  motion.back();
  EXPECT_LE(seconds(motion, 20), 2 + frame);
}

TEST(ViewMotion, AFlightBeginsAndEndsExactly) {
  for (const View& to : {shallow, deep}) {
    ViewMotion motion = motion_at(whole);
    motion.fly_to(to);
    EXPECT_EQ(motion.present(), whole);
    EXPECT_EQ(motion.target(), to);
    for (int i = 0; motion.moving(); ++i) {
      ASSERT_LT(i, 60 * 600);
      motion.advance(frame);
    }
    EXPECT_EQ(motion.present(), to);
  }
}

TEST(ViewMotion, AFlightHasTheSameApparentSpeedThroughout) {
  constexpr double octaves = 6;
  const View aside = view("0.2820", "0.0100", "1e-390");
  const struct {
    View from, to;
  } ways[] = {{whole, shallow}, {shallow, whole}, {whole, deep}, {deep, whole}, {deep, aside}};
  for (const auto& way : ways) {
    const Flight flight(way.from, way.to, octaves);
    const double wanted = octaves * std::log(2.0) / 1.3;
    for (double t = 1; t + 1 < flight.duration(); t += 0.25) {
      const double step = 1e-3;
      ASSERT_NEAR(apparent_way(flight.at(t), flight.at(t + step)) / step, wanted, 1e-4 * wanted) << t;
    }
  }
}

TEST(ViewMotion, AFlightLeavesAndArrivesGently) {
  const Flight flight(whole, deep, 6);
  const double step = 1e-3;
  EXPECT_LT(apparent_way(whole, flight.at(step)), 1e-5);
  EXPECT_LT(apparent_way(flight.at(flight.duration() - step), deep), 1e-5);
}

TEST(ViewMotion, AFlightStraightInKeepsItsCentre) {
  const View in{whole.re, whole.im, Decimal::parse("1e-50", "span")};
  const Flight flight(whole, in, 10);
  EXPECT_EQ(flight.at(0.5 * flight.duration()).re, whole.re);
  EXPECT_NEAR(flight.duration(), std::log2(3e50) / 10, 0.5);
}

TEST(ViewMotion, BackAndForwardVisitViewsThatRested) {
  ViewMotion motion = motion_at(whole);
  const auto rest = [&] {
    for (int i = 0; i < 2000 && motion.moving(); ++i) motion.advance(frame);
    for (int i = 0; i < 60; ++i) motion.advance(frame);
  };
  rest();
  motion.fly_to(shallow);
  rest();
  motion.pan(100, 0);
  rest();
  const View panned = motion.present();
  EXPECT_FALSE(motion.can_go_forward());
  motion.back();
  rest();
  EXPECT_EQ(motion.present(), shallow);
  motion.back();
  rest();
  EXPECT_EQ(motion.present(), whole);
  EXPECT_FALSE(motion.can_go_back());
  motion.forward();
  motion.forward();
  rest();
  EXPECT_EQ(motion.present(), panned);
}

TEST(ViewMotion, BackDuringAZoomReturnsToItsBeginningAndForwardContinues) {
  ViewMotion motion = motion_at(whole);
  for (int i = 0; i < 60; ++i) motion.advance(frame);
  motion.zoom(100, 100, 0.5);
  motion.advance(frame);
  const View zoomed = motion.target();
  motion.back();
  EXPECT_EQ(motion.target(), whole);
  motion.forward();
  EXPECT_EQ(motion.target(), zoomed);
}

TEST(ViewMotion, TheHandTakesOverFromAFlight) {
  ViewMotion motion = motion_at(whole);
  motion.fly_to(deep);
  for (int i = 0; i < 120; ++i) motion.advance(frame);
  const View reached = motion.present();
  motion.pan(64, -36);
  EXPECT_FALSE(motion.moving());
  const Placement moved = placement(reached, motion.present());
  EXPECT_NEAR(moved.x, -64.0 / 1280, 1e-9);
  EXPECT_NEAR(moved.y, -36.0 / 1280, 1e-9);
}

TEST(ViewMotion, ZoomingEndsAtTheBounds) {
  ViewMotion motion(whole);
  motion.set_size(size);
  motion.jump_to({Decimal(-1.0), Decimal(0.0), Decimal::parse("1e-99989", "span")});
  for (int i = 0; i < 10; ++i) motion.zoom(640, 360, 0.5);
  EXPECT_NEAR(ratio(motion.target().span, mandelbrot::smallest_span()), 1, 1e-12);
  motion.jump_to(whole);
  for (int i = 0; i < 100; ++i) motion.zoom(640, 360, 2);
  EXPECT_NEAR(motion.target().span.value(), 1e3, 1e-9);
}

// Half an octave per second, independent of the speed of flights.
TEST(ViewMotion, ADiveGoesDownSlowlyAndOutAndDownAgain) {
  ViewMotion motion = motion_at(whole);
  const View bottom = view("-1.4011551890920506", "0", "3e-6");
  motion.dive(bottom);
  const auto half_way_down = [&] {
    double seconds = 0;
    for (; bottom.span.log() + 10 < motion.present().span.log(); seconds += frame) motion.advance(frame);
    return seconds;
  };
  (void)half_way_down();
  const double before = motion.present().span.log();
  for (int i = 0; i < 4 * 60; ++i) motion.advance(frame);
  EXPECT_NEAR(before - motion.present().span.log(), 4 * 0.5 * std::log(2), 0.02);
  for (int i = 0; i < 60 * 60 && !(motion.present() == bottom); ++i) motion.advance(frame);
  EXPECT_EQ(motion.present(), bottom);
  for (int i = 0; i < 20 * 60 && !(motion.present() == whole); ++i) motion.advance(frame);
  EXPECT_EQ(motion.present(), whole);
  EXPECT_LT(half_way_down(), 60);
  EXPECT_TRUE(motion.dives());
}

TEST(ViewMotion, AnyOtherMotionEndsADive) {
  const View bottom = view("-1.4011551890920506", "0", "3e-6");
  const std::function<void(ViewMotion&)> others[] = {
      [](ViewMotion& motion) { motion.stop(); },
      [](ViewMotion& motion) { motion.zoom(1, 2, 0.5); },
      [](ViewMotion& motion) { motion.pan(3, 4); },
      [](ViewMotion& motion) { motion.fly_to(whole); },
      [](ViewMotion& motion) { motion.jump_to(motion.target()); },
      [](ViewMotion& motion) { motion.turn({.rotation = 20}); },
  };
  for (const auto& other : others) {
    ViewMotion motion = motion_at(whole);
    motion.dive(bottom);
    for (int i = 0; i < 300; ++i) motion.advance(frame);
    ASSERT_TRUE(motion.dives());
    other(motion);
    motion.advance(frame);
    EXPECT_FALSE(motion.dives()) << &other - others;
    for (int i = 0; i < 6000 && motion.moving(); ++i) motion.advance(frame);
    EXPECT_FALSE(motion.moving()) << &other - others;
  }
}

}  // namespace
}  // namespace orrery
