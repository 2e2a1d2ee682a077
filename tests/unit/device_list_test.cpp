/// The devices that --device and --split name, and the transfer of regions between them.
#include <gtest/gtest.h>

#include <numeric>

#include "compute/device/device_list.hpp"
#include "compute/queue/handover.hpp"

namespace orrery {
namespace {

DeviceInfo made_up(int platform, int device, std::string name, std::uint32_t units, std::uint32_t max_parts) {
  DeviceInfo info;
  info.id = {platform, device};
  info.name = std::move(name);
  info.compute_units = units;
  info.clock_mhz = 1000;
  info.max_parts = max_parts;
  return info;
}

std::vector<PlatformInfo> machine() {
  PlatformInfo processors, cards;
  processors.devices = {made_up(0, 0, "Some CPU", 7, 7)};
  cards.devices = {made_up(1, 0, "Fast GPU", 100, 1), made_up(1, 1, "Fast GPU", 100, 1)};
  return {processors, cards};
}

void expect_usage(std::string_view spec, std::int64_t split, const std::string& value, const std::string& allowed) {
  try {
    choose_devices(machine(), spec, split);
    FAIL() << spec;
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::usage);
    EXPECT_NE(std::string(error.what()).find(value), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find(allowed), std::string::npos) << error.what();
  }
}

TEST(ChooseDevices, TakesAListInItsOrder) {
  const auto devices = choose_devices(machine(), "1:1,0:0");
  ASSERT_EQ(devices.size(), 2U);
  EXPECT_EQ(text_of(devices[0].id), "1:1");
  EXPECT_EQ(text_of(devices[1].id), "0:0");
  EXPECT_EQ(choose_devices(machine(), "").size(), 1U);
  EXPECT_EQ(names_of(choose_devices(machine(), "1:0,1:1")), "2 of Fast GPU");
  EXPECT_EQ(names_of(devices), "Fast GPU and Some CPU");
  EXPECT_EQ(list_of(devices), "1:1,0:0");
}

TEST(ChooseDevices, SplitsOneDeviceByItsUnits) {
  const auto parts = choose_devices(machine(), "cpu", 3);
  ASSERT_EQ(parts.size(), 3U);
  std::uint32_t units = 0;
  for (std::uint32_t k = 0; k < 3; ++k) {
    EXPECT_EQ(parts[k].part, k);
    EXPECT_EQ(parts[k].parts, 3U);
    EXPECT_GE(parts[k].compute_units, 2U);
    units += parts[k].compute_units;
  }
  EXPECT_EQ(units, 7U);
  EXPECT_EQ(names_of(parts), "3 parts of Some CPU");
  EXPECT_EQ(names_of(std::span(parts).first(1)), "a part of Some CPU");
}

TEST(ChooseDevices, RefusesInvalidLists) {
  expect_usage("0:0,0:0", 1, "\"0:0,0:0\"", "0:0 only once");
  expect_usage("0:0,cpu", 1, "\"0:0,cpu\"", "0:0 only once");
  expect_usage("0:0,7:3", 1, "\"7:3\"", "one of: 0:0 Some CPU");
  expect_usage("0:0,", 1, "\"0:0,\"", "one of: 0:0 Some CPU");
  expect_usage("0:0", 8, "\"8\"", "from 1 to 7");
  expect_usage("0:0", 0, "\"0\"", "from 1 to 7");
  expect_usage("1:0", 2, "\"2\"", "--device P:D,P:D");
  expect_usage("1:0,1:1", 2, "\"2\"", "--device names several");
}

/// Two sub-devices of any device, in one context or in separate contexts.
struct Pair {
  std::vector<Device> devices;
  explicit Pair(bool one_context) {
    const DeviceInfo info = choose_device(enumerate_devices(), "");
    if (info.max_parts < 2) return;
    const auto parts = split_device(info, 2);
    if (one_context)
      devices = open_devices(parts);
    else
      for (const DeviceInfo& part : parts) devices.emplace_back(part);
  }
};

TEST(OpenDevices, ShareAContextOnOnePlatform) {
  const Pair pair(true);
  if (pair.devices.empty()) GTEST_SKIP() << "the device cannot be divided";
  EXPECT_EQ(pair.devices[0].context()(), pair.devices[1].context()());
  EXPECT_NE(pair.devices[0].handle()(), pair.devices[1].handle()());
}

class HandoverBetween : public testing::TestWithParam<std::tuple<bool, bool, std::size_t>> {};

// Many round trips without waiting: a region that arrives late or at the wrong place changes the result.
TEST_P(HandoverBetween, TransfersEachRegionInOrder) {
  const auto [one_context, direct, rows] = GetParam();
  const Pair pair(one_context);
  if (pair.devices.empty()) GTEST_SKIP() << "the device cannot be divided";
  const Device &here = pair.devices[0], &there = pair.devices[1];
  Queue queue(here), other(there);
  constexpr std::size_t columns = 100, all_rows = 6;
  const Region region{(columns + 7) * sizeof(float), 50 * sizeof(float), rows, columns * sizeof(float)};
  std::vector<float> numbers(columns * all_rows);
  std::iota(numbers.begin(), numbers.end(), 1.0F);
  const cl::Buffer sent = here.buffer(numbers.size() * sizeof(float));
  const cl::Buffer received = there.buffer(numbers.size() * sizeof(float));
  {
    Handover out(here, queue, region.size(), direct), back(there, other, region.size(), direct);
    for (int turn = 0; turn < 50; ++turn) {
      for (float& number : numbers) number += 1;
      queue.write_blocking(sent, std::span<const float>(numbers));
      other.write_blocking(received, std::span<const float>(std::vector<float>(numbers.size())));
      out.begin(queue, sent, region);
      out.deliver(queue, other, received);
      const cl::Event arrived = other.marker();
      back.begin(other, received, region);
      back.deliver(other, queue, sent);
      queue.flush();
      other.flush();
      queue.finish();
      EXPECT_TRUE(is_complete(arrived));
      other.finish();
      EXPECT_EQ(queue.read_blocking<float>(sent, numbers.size()), numbers);
      const auto got = other.read_blocking<float>(received, numbers.size());
      for (std::size_t i = 0; i < got.size(); ++i) {
        const std::size_t row = i / columns, column = i % columns;
        const bool within = row >= 1 && row < 1 + rows && column >= 7 && column < 57;
        ASSERT_EQ(got[i], within ? numbers[i] : 0) << i;
      }
    }
  }
  queue.finish();
}

INSTANTIATE_TEST_SUITE_P(Ways, HandoverBetween,
                         testing::Values(std::tuple{true, true, 1}, std::tuple{true, true, 4},
                                         std::tuple{true, false, 1}, std::tuple{true, false, 4},
                                         std::tuple{false, false, 1}, std::tuple{false, false, 4}));

TEST(RelayedEvent, CompletesAfterItsOriginal) {
  const Pair pair(false);
  if (pair.devices.empty()) GTEST_SKIP() << "the device cannot be divided";
  cl::UserEvent original(pair.devices[0].context());
  const cl::Event relay = relayed(original, pair.devices[1].context());
  EXPECT_EQ(relayed(original, pair.devices[0].context())(), original());
  EXPECT_FALSE(is_complete(relay));
  original.setStatus(CL_COMPLETE);
  relay.wait();
  EXPECT_TRUE(is_complete(relay));
}

}  // namespace
}  // namespace orrery
