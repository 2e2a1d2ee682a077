#include "ui/slider.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "ui/format.hpp"

namespace orrery::ui {
namespace {

TEST(ui_slider, places_and_values_are_inverse) {
  for (const SliderScale& scale : {SliderScale{-3, 7, false}, SliderScale{1e-8, 10, true}, SliderScale{0, 10, true}})
    for (double place : {0.0, 0.1, 0.5, 0.9, 1.0}) EXPECT_NEAR(scale.place(scale.value(place)), place, 1e-9);
}

TEST(ui_slider, ends_are_exact) {
  for (const SliderScale& scale :
       {SliderScale{-3, 7, false}, SliderScale{1, 16777216, true}, SliderScale{0, 10, true}}) {
    EXPECT_EQ(scale.round_value(0), scale.low);
    EXPECT_EQ(scale.round_value(1), scale.high);
  }
}

TEST(ui_slider, rounded_values_stay_on_the_scale) {
  const double widest = std::numeric_limits<double>::max();
  for (const SliderScale& scale :
       {SliderScale{0.1, 0.3, false}, SliderScale{1, 3, true}, SliderScale{0, 1e-300, true},
        SliderScale{-widest, widest, false}, SliderScale{5, 5, false}, SliderScale{5, 5, true}})
    for (int i = 0; i <= 1000; ++i) {
      const double value = scale.round_value(i / 1000.0);
      EXPECT_GE(value, scale.low);
      EXPECT_LE(value, scale.high);
    }
}

TEST(ui_slider, a_drag_gives_round_numbers) {
  EXPECT_EQ((SliderScale{0, 1, false}.round_value(0.123456)), 0.123);
  EXPECT_EQ((SliderScale{1, 100, true}.round_value(0.5)), 10);
}

TEST(ui_slider, a_value_outside_lies_at_the_nearer_end) {
  EXPECT_EQ((SliderScale{1e-3, 10, true}.place(1e-9)), 0);
  EXPECT_EQ((SliderScale{0, 1, false}.place(std::nan(""))), 0);
  EXPECT_EQ((SliderScale{0, 1, false}.place(7)), 1);
}

TEST(ui_format, numbers_read_as_people_write_them) {
  EXPECT_EQ(grouped(1234567), "1,234,567");
  EXPECT_EQ(grouped(-123), "-123");
  EXPECT_EQ(grouped(-1234), "-1,234");
  EXPECT_EQ(metric(513.4e9), "513 G");
  EXPECT_EQ(metric(999.7), "1.00 k");
  EXPECT_EQ(metric(std::nan("")), "n/a");
  EXPECT_EQ(metric(std::numeric_limits<double>::infinity()), "∞");
  EXPECT_EQ(duration(std::nan("")), "n/a");
  EXPECT_EQ(duration(12.34), "12.3 µs");
  EXPECT_EQ(duration(1234), "1.23 ms");
  EXPECT_EQ(percent(0.5), "50 %");
  EXPECT_EQ(percent(0), "0 %");
  EXPECT_EQ(number(-0.25), "−0.25");
}

}  // namespace
}  // namespace orrery::ui
