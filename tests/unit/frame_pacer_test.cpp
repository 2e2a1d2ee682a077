/// Frames of unequal duration, on a simulated clock.
#include "shell/window/pacing.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace orrery::shell {
namespace {

constexpr double interval = 1.0 / 60;

struct Display {
  double now = 100;
  double refresh = 0;  // seconds; presenting waits for the next refresh; 0: no wait
  FramePacer pacer;
  std::vector<double> ends, latencies;

  // Seconds of drawing, then until the device ends, then of presenting.
  void frame(double drawing, double device, double presenting) {
    now = std::max(now, pacer.begin_at());
    pacer.begins(now);
    const double begun = now;
    now += drawing;
    const double drawn = now, complete = now + device;
    now = std::max(now, pacer.present_at());
    pacer.presents(drawn, now);
    now = std::max(now, complete) + presenting;
    if (refresh > 0) now = std::ceil(now / refresh) * refresh;
    ends.push_back(now);
    latencies.push_back(now - begun);
    pacer.presented(now, interval);
  }
};

TEST(FramePacer, FramesEndEvenlyForUnequalWork) {
  Display display;
  std::mt19937 random(1);
  std::uniform_real_distribution<double> busy(0, 0.006);
  for (int k = 0; k < 600; ++k) display.frame(0.001, busy(random), 0.004);
  for (std::size_t k = 300; k < 600; ++k) {
    EXPECT_NEAR(display.ends[k] - display.ends[k - 1], interval, 0.0011) << k;
    EXPECT_LT(display.latencies[k], 0.0115) << "no later than the longest work asks for";
  }
}

TEST(FramePacer, ADisplayThatKeepsTheRateIsNeverMadeToSkipAFrame) {
  Display display;
  display.refresh = interval / 0.97;
  std::mt19937 random(2);
  std::uniform_real_distribution<double> drawing(0.001, 0.012);
  for (int k = 0; k < 600; ++k) display.frame(drawing(random), 0, 0);
  for (std::size_t k = 2; k < display.ends.size(); ++k)
    EXPECT_NEAR(display.ends[k] - display.ends[k - 1], display.refresh, 1e-6) << k;
}

TEST(FramePacer, AVeryLateFrameDelaysNoOther) {
  Display display;
  for (int k = 0; k < 100; ++k) display.frame(0.001, 0, 0.002);
  display.frame(0.5, 0, 0.002);
  display.frame(0.001, 0, 0.002);
  for (int k = 0; k < 100; ++k) display.frame(0.001, 0, 0.002);
  for (std::size_t k = 110; k < display.ends.size(); ++k)
    EXPECT_NEAR(display.ends[k] - display.ends[k - 1], interval, 1e-3);
}

TEST(FramePacer, SkippedFramesLastAsLongAsOthers) {
  Display display;
  for (int k = 0; k < 100; ++k) display.frame(0.001, 0, 0.002);
  for (int k = 0; k < 100; ++k) {
    display.now = std::max(display.now, display.pacer.begin_at());
    display.pacer.begins(display.now);
    const double end = display.pacer.left_out(interval);
    EXPECT_NEAR(end - display.now, interval, 1e-9);
    display.now = end;
  }
  const double left = display.now;
  for (int k = 0; k < 100; ++k) display.frame(0.001, 0, 0.002);
  EXPECT_NEAR(display.now - left, 100 * interval, 2 * interval);
}

using Drawing = RedrawPacer::Drawing;

// Counts the frames drawn in the next seconds, at 60 a second, with the given news from `first` to `last`.
struct Watch {
  Drawing drawing = Drawing::by_device;
  News news = News::progress;
  double first = 0, last = 1e9;
};
int drawn_frames(RedrawPacer& pacer, double now, double seconds, const Watch& watch) {
  int drawn = 0;
  for (int k = 0; k < std::lround(seconds / interval); ++k) {
    const double at = now + k * interval;
    const bool news = at >= watch.first && at <= watch.last;
    if (!pacer.due(at, news ? watch.news : News::none, watch.drawing)) continue;
    pacer.drawn(at);
    ++drawn;
  }
  return drawn;
}

TEST(RedrawPacer, DrawsEachFrameWithNewsAndPanelsTenTimesASecond) {
  RedrawPacer pacer;
  EXPECT_TRUE(pacer.due(0, News::none, Drawing::by_device)) << "the first one";
  pacer.drawn(0);
  EXPECT_NEAR(drawn_frames(pacer, 0, 10, {.first = 5, .last = 6}), 9 * 10 + 60, 20);
  EXPECT_TRUE(pacer.panels_due(10, Drawing::by_device)) << "with each picture";
}

TEST(RedrawPacer, DrawsThirtyPicturesASecondOnAProcessorButEachFrameDuringInput) {
  RedrawPacer pacer;
  const Watch runs{.drawing = Drawing::by_processor}, rests{.drawing = Drawing::by_processor, .news = News::none};
  EXPECT_NEAR(drawn_frames(pacer, 0, 10, runs), 300, 15);
  pacer.touched(10);
  EXPECT_NEAR(drawn_frames(pacer, 10, 0.1, rests), 6, 1);
  EXPECT_NEAR(drawn_frames(pacer, 10.1, 0.4, rests), 12, 1) << "what the hand set in motion";
  EXPECT_NEAR(drawn_frames(pacer, 11, 10, rests), 40, 5) << "its hand rests";
}

TEST(RedrawPacer, DrawsTwentyPicturesASecondOnAProcessorThatComputes) {
  RedrawPacer pacer;
  EXPECT_NEAR(drawn_frames(pacer, 0, 10, {.drawing = Drawing::by_busy_processor}), 200, 10);
}

TEST(RedrawPacer, DrawsMotionAndInputAtOnceOnAProcessorThatComputes) {
  RedrawPacer pacer;
  pacer.drawn(0);
  EXPECT_FALSE(pacer.due(0.035, News::progress, Drawing::by_busy_processor));
  EXPECT_TRUE(pacer.due(0.035, News::motion, Drawing::by_busy_processor));
  pacer.touched(0.035);
  EXPECT_TRUE(pacer.due(0.05, News::progress, Drawing::by_busy_processor));
  EXPECT_TRUE(pacer.due(0.05, News::none, Drawing::by_busy_processor));
  for (double now = 1; now < 3; now += interval) {
    pacer.touched(now);
    EXPECT_TRUE(pacer.due(now, News::none, Drawing::by_busy_processor)) << "a hand that moves";
    pacer.drawn(now);
  }
}

TEST(RedrawPacer, OnAProcessorPanelsAreKeptForAQuarterOfASecondUnlessTouched) {
  RedrawPacer pacer;
  EXPECT_TRUE(pacer.panels_due(0, Drawing::by_processor));
  pacer.drawn_panels(0);
  EXPECT_FALSE(pacer.panels_due(0.2, Drawing::by_processor));
  EXPECT_TRUE(pacer.panels_due(0.26, Drawing::by_busy_processor));
  pacer.touched(0.1);
  EXPECT_TRUE(pacer.panels_due(0.2, Drawing::by_processor));
}

TEST(FrameClock, SeparatesTheLatestSecondsFromTheWholeRun) {
  FrameClock clock(0);
  for (const double now : {1.0, 3.0, 3.5, 4.0, 4.5}) clock.presented(now);
  EXPECT_DOUBLE_EQ(clock.whole_run().max_ms, 2000);
  EXPECT_DOUBLE_EQ(clock.latest(1.5).max_ms, 500);
  EXPECT_DOUBLE_EQ(clock.latest(100).max_ms, 2000);
}

TEST(FrameClock, CountsPicturesSeparatelyFromRepeatedFrames) {
  FrameClock clock(0);
  for (int k = 1; k <= 100; ++k) k % 5 == 0 ? clock.presented(0.1 * k) : clock.ended(0.1 * k);
  EXPECT_EQ(clock.count(), 100);
  EXPECT_NEAR(clock.latest(4).p99_ms, 100, 1e-3);
  EXPECT_NEAR(clock.pictures_per_second(4.9), 2, 0.1);
  EXPECT_NEAR(clock.pictures_per_second(1e9), 2, 0.1);
}

TEST(FrameClock, CountsFromTheMomentAtWhichTheKernelsAreBuilt) {
  FrameClock clock(0);
  EXPECT_EQ(clock.running_for(5), 0);
  clock.note_running(6);
  clock.note_running(7);
  EXPECT_EQ(clock.running_for(8), 2);
}

}  // namespace
}  // namespace orrery::shell
