#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "model/mandelbrot/coloring.hpp"
#include "model/mandelbrot/iteration_limit.hpp"

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
  EXPECT_NEAR(phase_of(twice, 9) - phase_of(twice, 0), 2 * (phase_of(once, 9) - phase_of(once, 0)), 1e-12);
}

TEST(MandelbrotColoring, SamplesAddUpAsLight) {
  LightSum sum(1);
  sum.add(0, light_of({0, 0, 255}));
  sum.add(0, light_of({255, 0, 255}));
  EXPECT_EQ(sum.mean(0, 2), (Rgb{188, 0, 255}));  // half the light is 188 in sRGB
}

Progress finished(std::uint32_t begun, std::uint32_t limit, std::size_t late, std::size_t undecided) {
  Progress progress{.pixels = 1000000, .decided = 1000000, .escaped = 500000, .late = late, .undecided = undecided};
  progress.first_limit = begun;
  progress.limit = limit;
  progress.complete = true;
  return progress;
}

TEST(MandelbrotLimit, IsRaisedWhileThatFindsEscapes) {
  AutomaticLimit automatic;
  const std::uint32_t first = automatic.first({});
  EXPECT_EQ(automatic.next(finished(first, first, 5000, 1000)), 2 * first);
  EXPECT_EQ(automatic.next(finished(first, 2 * first, 500, 1000)), 4 * first);
  EXPECT_EQ(automatic.next(finished(first, 4 * first, 50, 1000)), std::nullopt);
  EXPECT_EQ(automatic.first({}), 2 * first) << "the next picture's passes find what is common; raising finds the rest";
}

TEST(MandelbrotLimit, HasNothingToFindWhereAllIsDecided) {
  AutomaticLimit automatic;
  EXPECT_EQ(automatic.next(finished(256, 256, 5000, 0)), std::nullopt);
}

TEST(MandelbrotLimit, GoesOnWhereNothingHasEscapedYet) {
  AutomaticLimit automatic;
  Progress nothing = finished(1024, 1024, 0, 1000000);
  nothing.escaped = 0;
  EXPECT_EQ(automatic.next(nothing), 2048u);
}

TEST(MandelbrotLimit, FallsAgainWhereLittleIsNeeded) {
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
