#include "shell/window/pacing.hpp"

#include <gtest/gtest.h>

namespace orrery::shell {
namespace {

constexpr double refresh = 1.0 / 60;

class WaitPaces : public testing::TestWithParam<WaitPacer::Range> {};
INSTANTIATE_TEST_SUITE_P(All, WaitPaces, testing::Values(WaitPacer::slices, WaitPacer::uneven_launches));

TEST_P(WaitPaces, GiveWayToLateFramesAndComeBack) {
  WaitPacer pacer(GetParam());
  const double begin = pacer.seconds();
  for (int k = 0; k < 5; ++k) pacer.presented(2 * refresh, refresh);
  const double after = pacer.seconds();
  EXPECT_LT(after, begin);
  // Slightly late frames are caused by the display.
  for (int k = 0; k < 100; ++k) pacer.presented(1.1 * refresh, refresh);
  EXPECT_GT(pacer.seconds(), after);
  for (int k = 0; k < 10000; ++k) pacer.presented(refresh, refresh);
  EXPECT_EQ(pacer.seconds(), GetParam().longest);
  for (int k = 0; k < 100; ++k) pacer.presented(1, refresh);
  EXPECT_EQ(pacer.seconds(), GetParam().shortest);
}

// If long slices make frames late, fewer than one frame in a hundred is late.
TEST_P(WaitPaces, FindTheLongestThatKeepsTheRate) {
  WaitPacer pacer(GetParam());
  constexpr double most = 0.0055;
  int late = 0;
  for (int k = 0; k < 20000; ++k) {
    const bool is_late = pacer.seconds() > most;
    late += is_late;
    pacer.presented(is_late ? 2 * refresh : refresh, refresh);
  }
  EXPECT_LE(late, 20000 / 100);
  EXPECT_GT(pacer.seconds(), 0.7 * most);
}

}  // namespace
}  // namespace orrery::shell
