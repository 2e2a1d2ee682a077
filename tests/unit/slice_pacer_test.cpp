#include "shell/window/pacing.hpp"

#include <gtest/gtest.h>

namespace orrery::shell {
namespace {

constexpr double refresh = 1.0 / 60;

TEST(SlicePacer, GivesWayToLateFramesAndComesBack) {
  SlicePacer pacer;
  const double begin = pacer.slice();
  for (int k = 0; k < 5; ++k) pacer.presented(2 * refresh, refresh);
  const double after = pacer.slice();
  EXPECT_LT(after, begin);
  // A frame that is a little late is the display's doing.
  for (int k = 0; k < 100; ++k) pacer.presented(1.1 * refresh, refresh);
  EXPECT_GT(pacer.slice(), after);
  for (int k = 0; k < 10000; ++k) pacer.presented(refresh, refresh);
  EXPECT_EQ(pacer.slice(), SlicePacer::longest);
  for (int k = 0; k < 100; ++k) pacer.presented(1, refresh);
  EXPECT_EQ(pacer.slice(), SlicePacer::shortest);
}

// Where long slices make frames late, less than one in a hundred is.
TEST(SlicePacer, FindsTheLongestSliceThatKeepsTheRate) {
  SlicePacer pacer;
  constexpr double most = 0.0055;
  int late = 0;
  for (int k = 0; k < 20000; ++k) {
    const bool is_late = pacer.slice() > most;
    late += is_late;
    pacer.presented(is_late ? 2 * refresh : refresh, refresh);
  }
  EXPECT_LE(late, 20000 / 100);
  EXPECT_GT(pacer.slice(), 0.7 * most);
}

}  // namespace
}  // namespace orrery::shell
