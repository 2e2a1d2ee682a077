/// A larger scale is offered only if text is small on a display with a plausible size.
#include "shell/window/display_density.hpp"

#include <gtest/gtest.h>

namespace orrery::shell {
namespace {

constexpr float most = 3;

std::optional<float> offered(glm::ivec2 pixels, glm::ivec2 millimetres, float desktop = 1, float chosen = 1) {
  return larger_scale({pixels, millimetres}, desktop, chosen, most);
}

TEST(DisplayDensity, IsThatOfTheDisplay) {
  // 13.3 inches across the corner of 2560 × 1600: √(2560² + 1600²) / 13.3 = 227.
  EXPECT_NEAR(*pixels_per_inch({{2560, 1600}, {286, 179}}), 227, 1);
  EXPECT_NEAR(*pixels_per_inch({{1600, 2560}, {179, 286}}), 227, 1) << "upright";
}

TEST(DisplayDensity, SmallTextIsOfferedInQuarters) {
  EXPECT_EQ(offered({2560, 1600}, {286, 179}), 2.25F) << "227 / 96 = 2.36";
  EXPECT_EQ(offered({3840, 2160}, {597, 336}), 1.5F) << "27 inches, 163 / 96 = 1.70";
  EXPECT_EQ(offered({3840, 2160}, {344, 194}), 2.75F) << "15.6 inches, 283 / 96 = 2.95";
  EXPECT_EQ(offered({7680, 4320}, {600, 340}), 3.0F) << "not more than can be chosen";
}

TEST(DisplayDensity, UsualDisplaysAreLeftAlone) {
  EXPECT_FALSE(offered({1920, 1080}, {531, 299})) << "24 inches, 92 per inch";
  EXPECT_FALSE(offered({2560, 1440}, {597, 336})) << "27 inches, 109";
  EXPECT_FALSE(offered({1920, 1080}, {344, 194})) << "15.6 inches, 142: 1.48 of the usual size";
  EXPECT_FALSE(offered({3840, 2160}, {1210, 680})) << "television of 55 inches";
}

TEST(DisplayDensity, TheScaleInUseCounts) {
  EXPECT_FALSE(offered({2560, 1600}, {286, 179}, 2)) << "the desktop enlarges by itself";
  EXPECT_FALSE(offered({2560, 1600}, {286, 179}, 1, 2)) << "a person has";
  EXPECT_EQ(offered({3840, 2160}, {344, 194}, 1.25F), 2.25F) << "2.95 / 1.25 = 2.36";
}

TEST(DisplayDensity, SizesThatMakeNoSenseOfferNothing) {
  for (const glm::ivec2 size : {glm::ivec2{0, 0},
                                {-1, -1},
                                {600, 0},
                                {0, 340},
                                {160, 90},
                                {16, 9},
                                {1600, 900},
                                {160, 100},
                                {90, 160},
                                {40, 30},
                                {1, 1},
                                {50000, 28125},
                                {300, 300},
                                {340, 600}})
    EXPECT_FALSE(offered({3840, 2160}, size)) << size.x << " x " << size.y;
  EXPECT_FALSE(offered({0, 0}, {344, 194}));
  EXPECT_FALSE(offered({1600, 1000}, {423, 265})) << "a virtual display, at 96 per inch";
}

}  // namespace
}  // namespace orrery::shell
