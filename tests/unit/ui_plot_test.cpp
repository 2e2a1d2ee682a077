/// A plot as a table: all points, under names with units.
#include "ui/plot_data.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

namespace orrery::ui {
namespace {

std::vector<std::vector<std::string>> cells_of(const std::string& text) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream cells(line + ",");
    rows.emplace_back();
    for (std::string cell; std::getline(cells, cell, ',');) rows.back().push_back(cell);
  }
  return rows;
}

TEST(ui_plot, is_a_table_that_reads_back_as_the_same_numbers) {
  const std::vector<double> time{0, 0.1, 1.0 / 3}, kinetic{1e-300, std::nan(""), -2.0 / 7}, total{1, 2};
  const Plot plot{.title = "Energy",
                  .x = {.name = "Time", .unit = "s"},
                  .y = {.name = "Energy", .unit = "J"},
                  .at = time,
                  .series = {{"Kinetic", kinetic, {}}, {"Total", total, {}}}};
  const auto rows = cells_of(table_of(plot));
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_EQ(rows[0], (std::vector<std::string>{"Time (s)", "Kinetic (J)", "Total (J)"}));
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(std::stod(rows[i + 1][0]), time[i]);
  EXPECT_EQ(std::stod(rows[1][1]), kinetic[0]);
  EXPECT_EQ(rows[2][1], "");
  EXPECT_EQ(std::stod(rows[3][1]), kinetic[2]);
  EXPECT_EQ(rows[3][2], "") << "a shorter column ends before";
  const KeptPlot kept(plot);
  const KeptPlot copy = kept;
  EXPECT_EQ(table_of(copy.plot()), table_of(plot));
}

TEST(ui_plot, curves_with_their_own_places_have_two_columns) {
  const std::vector<double> x{0.5, 2}, y{10, 40};
  const Plot plot{.title = "Roofline",
                  .x = {.name = "Intensity"},
                  .y = {.name = "Speed, single", .unit = "1/s"},
                  .series = {{.name = "Roof", .values = y, .color = {}, .x = x}}};
  EXPECT_EQ(table_of(plot), "Roof: Intensity,\"Roof: Speed, single (1/s)\"\n0.5,10\n2,40\n");
}

}  // namespace
}  // namespace orrery::ui
