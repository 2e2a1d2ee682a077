/// Histories of plotted quantities.
#include <gtest/gtest.h>

#include <cmath>

#include "scene/history.hpp"
#include "scenes/particles/window/record.hpp"

using namespace orrery;

TEST(History, ReportsMissingKineticEnergyOnlyWhenItIsSteady) {
  ParticlesRecord record;
  const auto add = [&](int rows, double kinetic) {
    for (int k = 0; k < rows; ++k) {
      record.history.time.push_back(static_cast<double>(record.history.time.size() + 1));
      record.history.kinetic.push_back(kinetic + 0.01 * std::sin(k));
    }
  };
  add(30, 1.125);
  EXPECT_EQ(record.kinetic_shortfall(1.5, 0.1), 0) << "not long enough";
  add(30, 1.125);
  EXPECT_NEAR(record.kinetic_shortfall(1.5, 0.1), 0.25, 0.01);
  EXPECT_EQ(record.kinetic_shortfall(1.2, 0.1), 0) << "as close as chance explains";
  add(30, 1.3);
  EXPECT_EQ(record.kinetic_shortfall(1.5, 0.1), 0) << "it still changes";
  add(30, 1.3);
  EXPECT_NEAR(record.kinetic_shortfall(1.5, 0.1), 0.133, 0.01);
  record.changed = 100;
  EXPECT_EQ(record.kinetic_shortfall(1.5, 0.1), 0) << "measured before a change";
}

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
