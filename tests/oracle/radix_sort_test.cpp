/// The device's sort against std::stable_sort.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "bench.hpp"
#include "compute/sort/radix_sort.hpp"

using namespace orrery;

namespace {

struct Draw {
  const char* name;
  std::uint64_t mask;  // of the keys: with few different keys, the order of equal ones is tested
};

void expect_stable_sorts(const Device& device) {
  ProgramLibrary programs = uncached_programs(device);
  RadixSortKernels kernels(programs);
  Queue queue(device);
  std::mt19937_64 random(3);
  for (const Draw& draw : {Draw{"all bits", ~0ULL}, Draw{"few keys", 0x8000000000000003ULL}, Draw{"one key", 0}})
    for (const std::size_t count : {1, 2, 31, 255, 4096, 4097, 100003, 150001, 600001}) {
      std::vector<cl_ulong> keys(count);
      for (cl_ulong& key : keys) key = random() & draw.mask;
      std::vector<cl_uint> values(count);
      std::iota(values.begin(), values.end(), 0U);
      const cl::Buffer on_keys = device.buffer(count * sizeof(cl_ulong)),
                       on_values = device.buffer(count * sizeof(cl_uint));
      queue.write_blocking(on_keys, std::span<const cl_ulong>(keys));
      queue.write_blocking(on_values, std::span<const cl_uint>(values));
      RadixSort(device, count).enqueue(queue, kernels, on_keys, on_values);
      std::ranges::stable_sort(values, {}, [&](cl_uint i) { return keys[i]; });
      std::ranges::sort(keys);
      EXPECT_EQ(queue.read_blocking<cl_ulong>(on_keys, count), keys) << draw.name << ", " << count;
      EXPECT_EQ(queue.read_blocking<cl_uint>(on_values, count), values) << draw.name << ", " << count;
    }
}

}  // namespace

TEST(RadixSort, SortsAsAStableSortDoes) { expect_stable_sorts(Device{choose_device(enumerate_devices(), "")}); }

// The way of GPUs, with groups and local memory of several sizes.
TEST(RadixSort, TeamsSortAsAStableSortDoes) {
  DeviceInfo info = choose_device(enumerate_devices(), "");
  info.device_class = DeviceClass::gpu;
  for (const auto& [group, kilobytes] : {std::pair{256, 48}, {256, 16}, {32, 32}}) {
    SCOPED_TRACE(group);
    info.max_work_group = static_cast<std::size_t>(group);
    info.local_bytes = static_cast<std::size_t>(kilobytes) << 10;
    expect_stable_sorts(Device{info});
  }
}
