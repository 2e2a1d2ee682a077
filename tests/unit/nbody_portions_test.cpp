/// The portion of millions of bodies that a frame draws.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "scenes/nbody/window/renderer.hpp"

using namespace orrery;

namespace {

/// Draws frames that take `fixed` seconds and `each` seconds per body; returns the seconds of the last frame.
double seconds_after(PortionPacer& pacer, int frames, std::size_t bodies, double fixed, double each) {
  double seconds = 0;
  for (int k = 0; k < frames; ++k) {
    const double drawn = static_cast<double>(bodies) / static_cast<double>(pacer.one_in(bodies));
    seconds = fixed + each * drawn;
    pacer.measured(drawn, seconds);
  }
  return seconds;
}

constexpr std::size_t ten_million = 10'000'000;

}  // namespace

TEST(NbodyPortions, DrawAllBodiesWhereThatIsFastEnough) {
  PortionPacer pacer(1e-6);
  EXPECT_GT(pacer.one_in(ten_million), 100U);
  seconds_after(pacer, 100, ten_million, 1e-4, 8e-10);
  EXPECT_EQ(pacer.one_in(ten_million), 1U);
}

TEST(NbodyPortions, KeepToTheTimeOfAFrame) {
  for (const double each : {2e-9, 3e-8, 1e-6})
    for (const double fixed : {0.0, 0.002}) {
      PortionPacer pacer(1e-9);
      const double seconds = seconds_after(pacer, 100, ten_million, fixed, each);
      EXPECT_LE(seconds, PortionPacer::in_motion) << each;
      EXPECT_GT(seconds, PortionPacer::in_motion / 4) << each;
      EXPECT_TRUE(std::has_single_bit(pacer.one_in(ten_million)));
    }
}

// A portion that changes with each measurement would flicker.
TEST(NbodyPortions, ChangeRarely) {
  PortionPacer pacer(1e-9);
  seconds_after(pacer, 100, ten_million, 0, 1e-8);
  const std::size_t first = pacer.one_in(ten_million);
  int changes = 0;
  for (int k = 0; k < 200; ++k) {
    pacer.measured(1e6, 1e-2 * (1 + 0.1 * std::sin(k)));
    if (pacer.one_in(ten_million) != first) ++changes;
  }
  EXPECT_EQ(changes, 0);
}

TEST(NbodyPortions, AreNotUsedForAFewBodies) {
  PortionPacer pacer(1);
  EXPECT_EQ(pacer.one_in(most_drawn_at_once), 1U);
  EXPECT_GT(pacer.one_in(most_drawn_at_once + 1), 1U);
}

TEST(NbodyPortions, HoldEachBodyOnceAndAreSpreadOverAll) {
  for (const std::size_t count : {std::size_t{1}, std::size_t{777}, std::size_t{Portion::places}}) {
    std::vector<std::uint16_t> sorted = shuffled_block(count);
    std::ranges::sort(sorted);
    for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(sorted[i], i);
  }
  // 4,096 of 65,536: a sixteenth of them has 256 within five standard deviations.
  const std::vector<std::uint16_t> block = shuffled_block(Portion::places);
  for (std::size_t part = 0; part < 16; ++part) {
    const auto inside =
        std::count_if(block.begin(), block.begin() + 4096, [&](std::uint16_t i) { return i / 4096U == part; });
    EXPECT_NEAR(static_cast<double>(inside), 256, 5 * std::sqrt(256.0 * 15 / 16)) << part;
  }
}
