/// Steps per frame against transfer cost: the measured bursts, their order, and the results.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <thread>

#include "compute/queue/queue.hpp"
#include "scenes/nbody/window/measures.hpp"

namespace orrery {
namespace {

/// Takes bursts of n·step + transfer seconds until the sweep ends; returns the kinds of bursts in order.
std::vector<std::pair<bool, std::int64_t>> take_all(NbodySweep& sweep, double step, double shared, double copied) {
  std::vector<std::pair<bool, std::int64_t>> kinds;
  double progress = 0;
  while (sweep.running()) {
    const std::pair kind(sweep.shared(), sweep.burst());
    if (kinds.empty() || kinds.back() != kind) kinds.push_back(kind);
    sweep.begin_burst();
    sweep.finish_burst(static_cast<double>(sweep.burst()) * step + (sweep.shared() ? shared : copied));
    EXPECT_GE(sweep.result().progress, progress);
    progress = sweep.result().progress;
  }
  return kinds;
}

TEST(NbodySweep, ReportsStepsPerSecondOfEveryBurst) {
  NbodySweep sweep;
  sweep.start("");
  EXPECT_EQ(take_all(sweep, 1e-3, 1e-4, 4e-3).size(), 18U);
  const TransferSweep& result = sweep.result();
  ASSERT_EQ(result.bursts.size(), 9U);
  EXPECT_EQ(result.bursts.back(), 256);
  for (std::size_t k = 0; k < 9; ++k) {
    const double burst = result.bursts[k];
    EXPECT_NEAR(result.shared[k], burst / (burst * 1e-3 + 1e-4), 1e-9 * result.shared[k]);
    EXPECT_NEAR(result.copied[k], burst / (burst * 1e-3 + 4e-3), 1e-9 * result.copied[k]);
  }
  EXPECT_EQ(result.progress, 1);
}

TEST(NbodySweep, OnlyCopiesWithoutSharedSurfaces) {
  NbodySweep sweep;
  sweep.start("another device");
  for (const auto& [shared, burst] : take_all(sweep, 1e-3, 0, 1e-3)) EXPECT_FALSE(shared) << burst;
  EXPECT_TRUE(std::isnan(sweep.result().shared.front()));
  EXPECT_EQ(sweep.result().no_sharing, "another device");
}

TEST(NbodySweep, LeavesOutBurstsThatTakeTooLong) {
  NbodySweep sweep;
  sweep.start("another device");
  take_all(sweep, 0.1, 0, 0);
  EXPECT_FALSE(std::isnan(sweep.result().copied[3]));  // 0.8 s
  EXPECT_TRUE(std::isnan(sweep.result().copied[4]));
}

// One slow burst on a busy machine does not change the rate.
TEST(NbodySweep, ReportsTheMedian) {
  NbodySweep sweep;
  sweep.start("another device");
  for (int k = 0; sweep.burst() == 1; ++k) {
    sweep.begin_burst();
    sweep.finish_burst(k < 2 ? 10 : 1e-2);
  }
  EXPECT_NEAR(sweep.result().copied[0], 100, 1e-9);
}

TEST(NbodySweep, CanBeCancelled) {
  NbodySweep sweep;
  sweep.start("");
  sweep.cancel();
  EXPECT_FALSE(sweep.running());
}

// A kept event would keep its queue and its context, and so the driver's memory of a device that has been left.
TEST(NbodySweep, KeepsNoEventsOnceItIsCancelled) {
  const Device device(choose_device(enumerate_devices(), ""));
  Queue queue(device);
  const cl::Event begin = queue.marker(), end = queue.marker();
  queue.finish();
  const auto references = [](const cl::Event& event) { return event.getInfo<CL_EVENT_REFERENCE_COUNT>(); };
  // The driver releases complete events a moment later.
  for (int i = 0; i < 500 && (references(begin) > 1 || references(end) > 1); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  const cl_uint own = references(begin), own_end = references(end);
  NbodySweep sweep;
  sweep.start("");
  sweep.begin_burst();
  sweep.add(begin, end);
  EXPECT_EQ(references(begin), own + 1);
  sweep.cancel();
  EXPECT_EQ(references(begin), own);
  sweep.add(begin, end);  // the burst that was under way
  EXPECT_EQ(references(begin), own);
  EXPECT_EQ(references(end), own_end);
}

}  // namespace
}  // namespace orrery
