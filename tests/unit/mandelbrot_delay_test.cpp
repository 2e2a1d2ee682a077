#include "scenes/mandelbrot/window/display.hpp"

#include <gtest/gtest.h>

namespace orrery {
namespace {

constexpr double frame = 1.0 / 64;

// Zooms in by `speed` octaves a second while the picture is `octaves` octaves too coarse.
void zoom(MandelbrotDelay& delay, double& log2_span, double speed, double octaves, int frames) {
  for (int i = 0; i < frames; ++i) delay.count(log2_span -= speed * frame, frame, octaves);
}

TEST(MandelbrotDelay, IsTheTimeSinceTheViewWasAsWideAsThePictureSuits) {
  MandelbrotDelay delay;
  double span = 1;
  zoom(delay, span, 2, 0.5, 101);  // the first frame has no predecessor
  const MandelbrotSnapshot::Delay seen = delay.summary();
  EXPECT_EQ(seen.frames, 100);
  EXPECT_DOUBLE_EQ(seen.max, 0.25);
  EXPECT_NEAR(seen.p50, 0.25, 0.01);
}

TEST(MandelbrotDelay, SeparatesTheMedianFromTheTail) {
  MandelbrotDelay delay;
  double span = 1;
  zoom(delay, span, 1, 0.1, 91);
  zoom(delay, span, 1, 0.8, 10);
  const MandelbrotSnapshot::Delay seen = delay.summary();
  EXPECT_NEAR(seen.p50, 0.1, 0.011);
  EXPECT_NEAR(seen.p99, 0.8, 0.011);
  EXPECT_DOUBLE_EQ(seen.max, 0.8);
}

TEST(MandelbrotDelay, CountsOnlyFramesThatZoomIn) {
  MandelbrotDelay delay;
  double span = 1;
  zoom(delay, span, -2, 1, 10);
  zoom(delay, span, 0, 1, 10);
  delay.count(span - 1, frame, std::nullopt);  // nothing is shown
  EXPECT_EQ(delay.summary().frames, 0);
}

}  // namespace
}  // namespace orrery
