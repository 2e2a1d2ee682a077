#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "scenes/mandelbrot/model/iteration_limit.hpp"
#include "scenes/mandelbrot/output/coloring.hpp"

namespace orrery::mandelbrot {
namespace {

std::uint8_t saturated(double value) { return value <= 0 ? 0 : value >= 255 ? 255 : static_cast<std::uint8_t>(value); }

TEST(MandelbrotColoring, ClassicIsTheFormula) {
  const double limit = 100;
  const Colorist colorist({.palette = "classic"}, limit);
  for (int i = -50; i < 1100; ++i) {
    const double nu = 0.1 * i;
    const double s = nu / limit;
    const Rgb expected{saturated(1.5 * 256 - std::abs(s - 0.75) * 4 * 256),
                       saturated(1.5 * 256 - std::abs(s - 0.5) * 4 * 256),
                       saturated(1.5 * 256 - std::abs(s - 0.25) * 4 * 256)};
    ASSERT_EQ(colorist.color(nu), expected) << nu;
  }
  EXPECT_EQ(colorist.interior(), (Rgb{0, 0, 0}));
}

TEST(MandelbrotColoring, PalettesCloseWithoutASeam) {
  ColorSettings settings;
  for (const Parameter& parameter : parameters(settings)) {
    if (parameter.info().name != "palette") continue;
    for (const std::string_view name : parameter.info().choices) {
      if (name == "classic") continue;
      const auto ramp = palette_ramp(std::string(name));
      ASSERT_EQ(ramp.size(), 3 * ramp_colors);
      int largest = 0;
      for (std::size_t i = 0; i < ramp.size(); ++i)
        largest = std::max(largest, std::abs(ramp[i] - ramp[(i + 3) % ramp.size()]));
      EXPECT_LE(largest, 8) << name;
    }
  }
}

TEST(MandelbrotColoring, OffsetAndDensityMoveThroughTheCycles) {
  const Colorist plain({.scale = "linear"}, 100), whole({.scale = "linear", .offset = 1}, 100);
  EXPECT_EQ(plain.color(17.3), whole.color(17.3));
  const ColorSettings once{.scale = "sqrt"}, twice{.scale = "sqrt", .density = 2};
  EXPECT_NEAR(Phases(twice).of(9) - Phases(twice).of(0), 2 * (Phases(once).of(9) - Phases(once).of(0)), 1e-12);
}

// A point next to c∞ in wider and wider views around it, and in the corner of a view.
TEST(MandelbrotColoring, APointKeepsItsColorWhileOneZooms) {
  const double re = -1.41, im = 0.003;
  const ColorSettings settings;
  const double expected = cascade_part(std::hypot(re + 1.4011551890920506, im));
  EXPECT_GT(expected, 0.2);
  EXPECT_LT(expected, 0.8);
  constexpr Size size{640, 360};
  for (const double span : {1e-9, 1e-4, 0.01, 1.0, 10.0})
    for (const double aside : {0.0, 0.3, -0.5}) {
      const View view{Decimal(re - aside * span), Decimal(im), Decimal(span)};
      EXPECT_NEAR(cascade_of(view, size).at(aside * size.width, 0), expected, 1e-6) << span << ' ' << aside;
    }
}

TEST(MandelbrotColoring, OneScaleAppliesFarFromTheFeigenbaumPointAndOneAtIt) {
  constexpr Size size{640, 360};
  const View far{Decimal(-0.7463), Decimal(0.1102), Decimal(0.02)},
      near{Decimal(-1.4011551890920506), {}, Decimal(1e-9)};
  EXPECT_EQ(cascade_of(far, size).most, 0);
  EXPECT_EQ(cascade_of(near, size).least, 1);
}

TEST(MandelbrotColoring, SlopesTowardsTheLightAreBrighter) {
  const ColorSettings lit{.shading = "slope", .light_angle = 90};  // light from above
  const Colorist colorist(lit, 100), plain({}, 100);
  const auto brightness = [&](Slope slope) { return static_cast<double>(colorist.light(17.3, slope)[2]); };
  const double flat = static_cast<double>(light_of(plain.color(17.3))[2]);
  EXPECT_NEAR(brightness({0, 0}), flat, 1e-6);
  EXPECT_NEAR(brightness({0.2, 0}), brightness({-0.2, 0}), 1e-6);
  EXPECT_GT(brightness({0, -0.2}), 1.1 * flat);  // the slope faces upwards, towards the light
  EXPECT_LT(brightness({0, 0.2}), 0.9 * flat);
}

TEST(MandelbrotColoring, ColoursAreDarkNearTheSet) {
  const Colorist colorist({.shading = "distance"}, 100);
  const double plain = static_cast<double>(colorist.light(17.3, {})[2]);
  const auto part = [&](double slope) { return static_cast<double>(colorist.light(17.3, {slope, 0})[2]) / plain; };
  EXPECT_NEAR(part(0.01), 1, 0.01);
  EXPECT_LT(part(10), 0.4);
  EXPECT_NEAR(part(1e6), Shading::darkest, 1e-4) << "some light is left where all is next to the set";
}

// The same slope with twice the pixels.
TEST(MandelbrotColoring, ALargerPictureLooksTheSame) {
  const ColorSettings both{.shading = "both"};
  const Colorist small(both, 100, {}, 1000), large(both, 100, {}, 2000);
  for (const Slope slope : {Slope{0.3, 0.1}, Slope{-2, 0.5}}) {
    const Light a = small.light(17.3, slope), b = large.light(17.3, {slope.x / 2, slope.y / 2});
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(a[k], b[k], 1e-6);
  }
}

TEST(MandelbrotColoring, EqualizationGivesThePartBelow) {
  std::vector<double> values;
  for (int i = 0; i < 1000; ++i) values.push_back(5e5 + i);
  for (int i = 0; i < 500; ++i) values.push_back(-1);  // interior
  const Equalization equalization = equalization_of(values);
  EXPECT_EQ(equalization.origin, 5e5);
  for (const double part : {0.1, 0.5, 0.9}) EXPECT_NEAR(equalization.rank(5e5 + 1000 * part), part, 0.02);
  EXPECT_EQ(equalization_of(std::vector<double>(10, -1)).rank(3), 0);
  const Equalization other = equalization_of(std::vector<double>{10, 20, 30, 40});
  EXPECT_NEAR(mixed(equalization, other, 0.25).rank(25), 0.25 * other.rank(25) + 0.75 * equalization.rank(25), 1e-3);
}

TEST(MandelbrotColoring, SamplesAreAddedAsLight) {
  LightSum sum(1);
  sum.add(0, light_of({0, 0, 255}));
  sum.add(0, light_of({255, 0, 255}));
  EXPECT_EQ(sum.mean(0, 2), (Rgb{188, 0, 255}));  // half of the light is 188 in sRGB
}

Progress finished(std::uint32_t begun, std::uint32_t limit, std::size_t late, std::size_t undecided) {
  Progress progress{.pixels = 1000000, .decided = 1000000, .escaped = 500000, .late = late, .undecided = undecided};
  progress.first_limit = begun;
  progress.limit = limit;
  progress.complete = true;
  return progress;
}

TEST(MandelbrotLimit, IsRaisedWhileMoreEscapesAreFound) {
  AutomaticLimit automatic;
  const std::uint32_t first = automatic.first({});
  EXPECT_EQ(automatic.next(finished(first, first, 5000, 1000)), 2 * first);
  EXPECT_EQ(automatic.next(finished(first, 2 * first, 500, 1000)), 4 * first);
  EXPECT_EQ(automatic.next(finished(first, 4 * first, 50, 1000)), std::nullopt);
  EXPECT_EQ(automatic.first({}), 2 * first) << "the next picture's passes find what is common; raising finds the rest";
}

TEST(MandelbrotLimit, IsLearntFromCancelledPictures) {
  AutomaticLimit automatic;
  const std::uint32_t first = automatic.first({});
  Progress half = finished(first, 0, 10, 0);
  half.decided = 500000;
  half.complete = false;
  automatic.learn(half);
  EXPECT_EQ(automatic.first({}), first) << "few escape late";
  half.late = 5000;
  automatic.learn(half);
  EXPECT_EQ(automatic.first({}), 2 * first);
}

TEST(MandelbrotLimit, IsNotRaisedWhenAllPixelsAreDecided) {
  AutomaticLimit automatic;
  EXPECT_EQ(automatic.next(finished(256, 256, 5000, 0)), std::nullopt);
}

TEST(MandelbrotLimit, IsRaisedWhenNoPixelHasEscapedYet) {
  AutomaticLimit automatic;
  Progress nothing = finished(1024, 1024, 0, 1000000);
  nothing.escaped = 0;
  EXPECT_EQ(automatic.next(nothing), 2048u);
}

TEST(MandelbrotLimit, EndsAtTheLongestReferenceThatTheDeviceHolds) {
  AutomaticLimit automatic;
  Progress busy = finished(1024, 1024, 100000, 1000);
  busy.longest = 2048;
  EXPECT_EQ(automatic.next(busy), 2048u);
  EXPECT_TRUE(AutomaticLimit::too_low(busy));
  busy.limit = 2048;
  EXPECT_EQ(automatic.next(busy), std::nullopt);
  EXPECT_FALSE(AutomaticLimit::too_low(busy)) << "the picture would never settle";
}

TEST(MandelbrotLimit, FallsWhenFewIterationsAreNeeded) {
  AutomaticLimit automatic;
  std::uint32_t limit = 1u << 16;
  for (int view = 0; view < 20; ++view) {
    (void)automatic.next(finished(limit, limit, 0, 10));
    limit = automatic.first({});
  }
  EXPECT_EQ(limit, 256u);
}

}  // namespace
}  // namespace orrery::mandelbrot
