/// Zooming with the wheel near a named point.
#include "scenes/mandelbrot/window/marked_points.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "scenes/mandelbrot/window/view_motion.hpp"

namespace orrery {
namespace {

using mandelbrot::Placement;
using mandelbrot::View;

constexpr mandelbrot::Size window{1280, 720};
const std::array<Anchor, 2> points{
    {{"c∞",
      Decimal::parse("-1.401155189092050600523826787893861292226308043397319608937261496678695557753523838837898", ""),
      Decimal()},
     {"tip", Decimal::parse("-1.40110000", ""), Decimal()}}};

struct Pixel {
  double x, y;
};
Pixel pixel_of(const Anchor& point, const View& view) {
  const Placement at = placement(view, {point.re, point.im, view.span});
  return {(0.5 + at.x) * window.width, 0.5 * window.height - at.y * window.width};
}

TEST(Anchor, ZoomingFromBesideAPointEndsAtThePoint) {
  const View whole;
  ViewMotion motion(whole);
  motion.set_size(window);
  const Pixel start = pixel_of(points[0], whole);
  const double x = start.x + 7, y = start.y - 9;  // where the cursor rests
  for (int notch = 0; notch < 485; ++notch) {
    const auto at = anchor_near(std::span(points).first(1), motion.present(), window, x, y);
    ASSERT_TRUE(at) << notch;
    motion.zoom(at->x, at->y, 0.75);
    for (int frame = 0; frame < 4; ++frame) motion.advance(0.016);
  }
  for (int frame = 0; frame < 100; ++frame) motion.advance(0.016);
  EXPECT_LT(motion.present().span.log(), std::log(1.1e-60));
  const Pixel end = pixel_of(points[0], motion.present());
  EXPECT_NEAR(end.x, start.x, 1e-3);
  EXPECT_NEAR(end.y, start.y, 1e-3);
}

TEST(Anchor, TheNearestPointWithinReachIsUsed) {
  const View view{Decimal(-1.4011), {}, Decimal(0.001)};
  const Pixel a = pixel_of(points[0], view), b = pixel_of(points[1], view);
  EXPECT_EQ(anchor_near(points, view, window, a.x + 3, a.y + 3)->title, "c∞");
  EXPECT_EQ(anchor_near(points, view, window, b.x, b.y + 11.9)->title, "tip");
  EXPECT_FALSE(anchor_near(points, view, window, b.x, b.y + 12.1));
}

TEST(Anchor, APointOfFewDigitsIsIgnoredInDeepViews) {
  const auto at_tip = [](double span) {
    const View view{points[1].re, points[1].im, Decimal(span)};
    return anchor_near(std::span(points).last(1), view, window, 0.5 * window.width, 0.5 * window.height);
  };
  EXPECT_TRUE(at_tip(1e-4));
  EXPECT_FALSE(at_tip(1e-6)) << "a pixel is less than its last digit";
}

}  // namespace
}  // namespace orrery
