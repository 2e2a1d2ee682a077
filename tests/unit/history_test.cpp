/// Columns that are plotted over time.
#include <gtest/gtest.h>

#include "scene/history.hpp"

using namespace orrery;

TEST(History, KeepsEveryOtherRowWhenItIsFull) {
  std::vector<double> a, b;
  for (int i = 0; i < 100000; ++i) {
    make_room({&a, &b});
    a.push_back(i);
    b.push_back(-i);
    ASSERT_LE(a.size(), 2048U);
    ASSERT_EQ(a.size(), b.size());
  }
  EXPECT_EQ(a.front(), 0);
  EXPECT_EQ(a.back(), 99999);
  for (std::size_t i = 1; i < a.size(); ++i) {
    ASSERT_LT(a[i - 1], a[i]);
    ASSERT_EQ(b[i], -a[i]);
  }
}
