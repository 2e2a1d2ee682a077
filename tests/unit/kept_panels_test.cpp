/// Parts of the framebuffer that a kept picture of the panels is laid over: each pixel once.
#include "shell/window/screen.hpp"

#include <gtest/gtest.h>

#include <random>

namespace orrery::shell {
namespace {

int times(const std::vector<PixelBox>& boxes, glm::ivec2 pixel) {
  int count = 0;
  for (const PixelBox& box : boxes)
    count += pixel.x >= box.from.x && pixel.y >= box.from.y && pixel.x < box.to.x && pixel.y < box.to.y ? 1 : 0;
  return count;
}

TEST(KeptPanels, PartsThatDoNotOverlapStay) {
  const std::vector<PixelBox> boxes{{{0, 0}, {10, 20}}, {{10, 0}, {20, 20}}};
  const auto result = apart(boxes);
  EXPECT_EQ(result.size(), 2U);
  EXPECT_EQ(times(result, {9, 5}), 1);
  EXPECT_EQ(times(result, {10, 5}), 1);
  EXPECT_EQ(times(result, {20, 5}), 0);
}

TEST(KeptPanels, EmptyPartsVanish) { EXPECT_TRUE(apart({{{5, 5}, {5, 9}}, {{3, 3}, {2, 9}}}).empty()); }

TEST(KeptPanels, EachPixelOfAnyPartIsCoveredOnce) {
  std::mt19937 random(1);
  std::uniform_int_distribution<int> at(0, 60), length(0, 12);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<PixelBox> boxes;
    for (int k = 0; k < 8; ++k) {
      const glm::ivec2 from(at(random), at(random));
      boxes.push_back({from, from + glm::ivec2(length(random), length(random))});
    }
    const auto result = apart(boxes);
    for (int y = 0; y < 72; ++y)
      for (int x = 0; x < 72; ++x) {
        EXPECT_LE(times(result, {x, y}), 1);
        if (times(boxes, {x, y}) > 0) {
          EXPECT_EQ(times(result, {x, y}), 1);
        }
      }
  }
}

}  // namespace
}  // namespace orrery::shell
