/// The choice of the tree's cells to draw.
#include "scenes/nbody/window/renderer.hpp"

#include <gtest/gtest.h>

namespace orrery {
namespace {

TEST(NbodyCells, LevelsFitIntoTheirCopyAndHoldEachBodyOnce) {
  for (const std::size_t bodies : {1U, 32U, 33U, 65U, 4097U, 65536U, 262144U, 262145U, 1U << 20, 16777216U, 1U << 26}) {
    SCOPED_TRACE(bodies);
    const TreeLevels tree(bodies);
    const std::vector<CellLevel> levels = cell_levels(bodies);
    ASSERT_FALSE(levels.empty());
    EXPECT_EQ(levels.front().number, 1U);
    EXPECT_EQ(levels.front().count, 1U);
    EXPECT_LE((levels.front().first + 1) * cell_bytes, bytes_of_cells());
    EXPECT_EQ(levels.back().first, 0U);
    std::size_t in_a_cell = TreeShape().leaf;  // bodies per cell on the level of the leaves
    for (std::size_t k = tree.rows.size(); k-- > 0; in_a_cell *= tree_branch) {
      if (k >= levels.size()) continue;
      EXPECT_EQ(levels[k].number, k + 1);
      EXPECT_EQ(levels[k].count, (bodies + in_a_cell - 1) / in_a_cell);
      EXPECT_LE(levels[k].count, most_cells);
      if (k > 0) {
        EXPECT_GE(levels[k - 1].first, levels[k].first + levels[k].count);
      }
    }
    if (levels.size() < tree.rows.size()) {
      EXPECT_GT(tree.rows[tree.rows.size() - levels.size() - 1].s[1], most_cells);
    }
  }
}

TEST(NbodyCells, AreThoseThatTheSettingsSelect) {
  NbodyLook look;
  EXPECT_TRUE(chosen_cells(look, 65536).empty());
  look.cells = "levels";
  EXPECT_EQ(chosen_cells(look, 65536).size(), 6U);  // the last one has 512 cells
  look.cell_level = 3;
  EXPECT_EQ(chosen_cells(look, 65536).size(), 3U);
  EXPECT_EQ(chosen_cells(look, 65536).back().count, 8U);
  look.cells = "level";
  ASSERT_EQ(chosen_cells(look, 65536).size(), 1U);
  EXPECT_EQ(chosen_cells(look, 65536).front().number, 3U);
  look.cell_level = 16;
  EXPECT_EQ(chosen_cells(look, 65536).front().count, 2048U) << "there is no finer level than that of the leaves";
  EXPECT_EQ(chosen_cells(look, std::size_t{1} << 20).front().count, most_cells) << "finer levels have too many";
}

// Lightness rises from the root to the leaves.
TEST(NbodyCells, GetLighterLevelByLevel) {
  const auto light = [](std::size_t number) {
    const auto rgb = color_of_level(number, 9);
    return 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2];
  };
  for (std::size_t number = 2; number <= 9; ++number) EXPECT_GT(light(number), light(number - 1) + 5);
}

}  // namespace
}  // namespace orrery
