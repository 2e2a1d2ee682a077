/// The line that shows the share of the time in which the device computes, and the reason for the rest.
#include "ui/device_use.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace orrery::ui {
namespace {

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

KernelStatistics busy_for(std::string name, double share) {
  KernelStatistics kernel;
  kernel.name = std::move(name);
  kernel.launches = 10;
  kernel.last_us = 100;
  kernel.busy_share = share;
  return kernel;
}

// 60 frames per second, one burst per frame.
DeviceFacts facts_of_bursts(std::int64_t burst, double computing) {
  return {.computing = computing, .frame_seconds = 1.0 / 60, .work = {.burst = burst, .bursts_per_second = 60}};
}

TEST(DeviceUses, SumKernelsApartFromCopies) {
  const std::vector<KernelStatistics> kernels{busy_for("forces", 0.5), busy_for("advance", 0.1), busy_for("read", 0.05),
                                              busy_for("copy", 0.02)};
  const DeviceUse use = device_use(kernels);
  EXPECT_DOUBLE_EQ(use.computing, 0.6);
  EXPECT_DOUBLE_EQ(use.copying, 0.07);
  EXPECT_DOUBLE_EQ(use.busy(), 0.67);
  EXPECT_EQ(device_use({}).busy(), 0) << "nothing has been launched";
}

TEST(DeviceUses, AreUnknownWhereTheDriverReportsNoTimings) {
  KernelStatistics kernel = busy_for("forces", 0);
  kernel.last_us = KernelStatistics::unknown;
  kernel.untimed = 10;
  EXPECT_TRUE(std::isnan(device_use(std::vector{kernel}).busy()));
  EXPECT_DOUBLE_EQ(device_use(std::vector{kernel, busy_for("advance", 0.1)}).busy(), 0.1);
  const DeviceUseLine line = device_use_line({.computing = no_number, .copying = no_number});
  EXPECT_EQ(line.share, "Device busy: n/a");
  EXPECT_EQ(line.reason, "The driver reports no timings.");
  EXPECT_EQ(line.burst, 0);
}

TEST(DeviceUseLines, GiveNoReasonForADeviceInFullUse) {
  const DeviceUseLine line = device_use_line(facts_of_bursts(16, 0.934));
  EXPECT_EQ(line.share, "Device busy 93 %");
  EXPECT_EQ(line.reason, "Device fully used");
  EXPECT_EQ(line.burst, 0);
}

TEST(DeviceUseLines, OfferABurstThatWouldUseTheDevice) {
  const DeviceUseLine four = device_use_line(facts_of_bursts(4, 0.12));
  EXPECT_EQ(four.reason, "The device idles: more steps per frame would fit.");
  EXPECT_EQ(four.burst, 32);
  const DeviceUseLine one = device_use_line(facts_of_bursts(1, 0.07));
  EXPECT_EQ(one.reason, "The device idles: more steps per frame would fit.");
  EXPECT_EQ(one.burst, 16);
  EXPECT_EQ(device_use_line(facts_of_bursts(16, 0.8)).burst, 32);
  EXPECT_EQ(device_use_line(facts_of_bursts(1, 0)).burst, 1024) << "where nothing is measured yet, no more than that";
}

TEST(DeviceUseLines, OfferNoBurstThatLooksLikeJumps) {
  DeviceFacts facts = facts_of_bursts(4, 0.12);
  facts.work.smooth_burst = 20;
  EXPECT_EQ(device_use_line(facts).burst, 16);
  facts.work.smooth_burst = 7;
  EXPECT_EQ(device_use_line(facts).burst, 0);
  EXPECT_EQ(device_use_line(facts).reason, "88 % waiting for the display");
}

TEST(DeviceUseLines, OfferNoBurstThatWouldNotBeLonger) {
  EXPECT_EQ(device_use_line(facts_of_bursts(10'000, 0.1)).burst, 0);
}

TEST(DeviceUseLines, OfferNoBurstWhereTheBurstIsLongerThanAFrame) {
  DeviceFacts facts = facts_of_bursts(16, 0.7);
  facts.work.bursts_per_second = 10;
  facts.copying = 0.2;
  const DeviceUseLine line = device_use_line(facts);
  EXPECT_EQ(line.burst, 0);
  EXPECT_EQ(line.reason, "20 % copying, 10 % waiting for the display");
}

TEST(DeviceUseLines, NameTheCausesTheLongestFirst) {
  DeviceFacts facts{.computing = 0.4, .copying = 0.04, .drawing = 0.36, .frame_seconds = 1.0 / 60};
  EXPECT_EQ(device_use_line(facts).reason, "36 % drawing, 20 % waiting for the display");
  facts.drawing = no_number;
  EXPECT_EQ(device_use_line(facts).reason, "56 % waiting for the display");
  facts.drawing = 0.9;
  EXPECT_EQ(device_use_line(facts).reason, "56 % drawing") << "it overlaps what is computed";
}

TEST(DeviceUseLines, GiveTheReasonForAnIdleDevice) {
  DeviceFacts facts = facts_of_bursts(4, 0.1);
  facts.work = {.idle = "The simulation is paused."};
  EXPECT_EQ(device_use_line(facts).reason, "The simulation is paused.");
  EXPECT_EQ(device_use_line(facts).burst, 0);
  facts.status = "building kernels";
  EXPECT_EQ(device_use_line(facts).reason, "Orrery is building kernels.");
}

}  // namespace
}  // namespace orrery::ui
