/// Ticks of axes with nice numbers (P. Heckbert, Graphics Gems, 1990): the smallest possible step of 1, 2 or 5 times a
/// power of ten.
#include "ui/ticks.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "base/text.hpp"

namespace orrery::ui {
namespace {

constexpr double huge = 1e308;

/// The digit of a shortest decimal form that has a single one; otherwise 0.
int only_digit(double value) {
  int digit = 0, count = 0;
  for (const char c : shortest(std::abs(value))) {
    if (c == 'e') break;
    if (c >= '1' && c <= '9') digit = c - '0', ++count;
  }
  return count == 1 ? digit : 0;
}

bool is_nice(double step) {
  const int digit = only_digit(std::stod(brief(step, 9)));
  return digit == 1 || digit == 2 || digit == 5;
}

TEST(ui_ticks, are_round_inside_the_range_and_as_many_as_fit) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> exponent(-12, 12), share(-1, 1);
  for (int trial = 0; trial < 2000; ++trial) {
    const double length = std::pow(10.0, exponent(random)), low = 30 * length * share(random), high = low + length;
    for (const int most : {2, 3, 5, 9}) {
      const std::vector<double> ticks = linear_ticks(low, high, most);
      ASSERT_LE(ticks.size(), static_cast<std::size_t>(most));
      for (const double tick : ticks) {
        EXPECT_GE(tick, low - 1e-8 * length);
        EXPECT_LE(tick, high + 1e-8 * length);
      }
      if (ticks.size() < 2) continue;
      const double step = ticks[1] - ticks[0];
      EXPECT_TRUE(is_nice(step)) << step;
      EXPECT_NEAR(std::remainder(ticks[0], step), 0, 1e-6 * step);
      for (std::size_t k = 1; k < ticks.size(); ++k) EXPECT_NEAR(ticks[k] - ticks[k - 1], step, 1e-6 * step);
      // The ticks cover the range up to a step at each end, and the next smaller step would give too many.
      EXPECT_LT(ticks.front() - low, step);
      EXPECT_LT(high - ticks.back(), step);
      const double smaller = step / (only_digit(std::stod(brief(step, 9))) == 5 ? 2.5 : 2);
      EXPECT_GT(std::floor(high / smaller + 1e-9) - std::ceil(low / smaller - 1e-9) + 1, most);
    }
  }
}

TEST(ui_ticks, of_a_wide_plot_are_several) {
  for (double high = 1; high < 1e4; high *= 1.07) EXPECT_GE(linear_ticks(0, high, 6).size(), 3U) << high;
  EXPECT_EQ(linear_ticks(0, 1, 6), (std::vector<double>{0, 0.2, 0.4, 0.6, 0.8, 1}));
  EXPECT_EQ(linear_ticks(-0.3, 0.3, 3), (std::vector<double>{-0.2, 0, 0.2}));
}

TEST(ui_ticks, are_none_without_a_range) {
  const double nothing = std::nan(""), endless = HUGE_VAL;
  for (const auto& [low, high] : {std::pair{1.0, 1.0},
                                  {2.0, 1.0},
                                  {nothing, 1.0},
                                  {0.0, endless},
                                  {-huge, huge},
                                  {1.0, std::nextafter(1.0, 2.0)}}) {
    EXPECT_TRUE(linear_ticks(low, high, 5).empty());
    if (!(low < high) || !std::isfinite(high)) {
      EXPECT_TRUE(decade_ticks(low, high, 5).empty());
    }
  }
}

TEST(ui_ticks, of_logarithmic_axes_are_decades_or_values_between_them) {
  EXPECT_EQ(decade_ticks(-3.5, 0.2, 9), (std::vector<double>{1e-3, 1e-2, 1e-1, 1}));
  EXPECT_EQ(decade_ticks(-16, 0, 5), (std::vector<double>{1e-15, 1e-10, 1e-5, 1}));
  EXPECT_EQ(decade_ticks(-0.1, 1.1, 9), (std::vector<double>{1, 10}));
  EXPECT_EQ(decade_ticks(0.1, 0.9, 9), (std::vector<double>{2, 5}));
  EXPECT_EQ(decade_ticks(std::log10(6.1), std::log10(8.4), 3), (std::vector<double>{7, 8}));
  EXPECT_EQ(decade_texts({1e-15, 1e-5, 1, 100000}), (std::vector<std::string>{"1e−15", "1e−5", "1", "100000"}));
}

TEST(ui_ticks, read_with_the_same_digits) {
  EXPECT_EQ(tick_texts({0, 0.5, 1}), (std::vector<std::string>{"0.0", "0.5", "1.0"}));
  EXPECT_EQ(tick_texts({-20, 0, 20}), (std::vector<std::string>{"−20", "0", "20"}));
  EXPECT_EQ(tick_texts({0.25, 0.3}), (std::vector<std::string>{"0.25", "0.30"}));
  EXPECT_EQ(tick_texts({0, 2e-9, 4e-9}), (std::vector<std::string>{"0", "2e-09", "4e-09"}));
  const std::vector<std::string> close = tick_texts({0.523599998, 0.5236, 0.523600002});
  EXPECT_EQ(close[1], "0.5236");
  EXPECT_EQ(close[0], "−2e-09");
  EXPECT_EQ(close[2], "+2e-09");
}

TEST(ui_ticks, lengths_of_bars_are_round) {
  for (double value = 1e-7; value < 1e7; value *= 1.13) {
    const double round = round_below(value);
    EXPECT_TRUE(is_nice(round)) << value;
    EXPECT_LE(round, value * (1 + 1e-8));
    EXPECT_GT(round * 2.5, value * (1 - 1e-8));
  }
}

}  // namespace
}  // namespace orrery::ui
