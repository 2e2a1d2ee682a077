/// Sums of many numbers on the device against sums in long double.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "bench.hpp"
#include "compute/program/reduction.hpp"

using namespace orrery;

namespace {

class Reductions : public testing::Test {
 protected:
  const Device device{choose_device(enumerate_devices(), "")};
  ProgramLibrary programs = uncached_programs(device);
  Queue queue{device};

  double sum(const std::vector<float>& values, Sums sums, std::size_t group = 0) {
    const cl::Buffer buffer = device.buffer(values.size() * sizeof(float));
    queue.write_blocking(buffer, std::span<const float>(values));
    Reducer reducer(programs, {Elements::floats, sums, group});
    reducer.enqueue_sum(queue, buffer, values.size());
    return reducer.sum(queue);
  }
};

// Normal deviates over twelve decades whose negatives follow later, and small ones that remain.
std::vector<float> hostile(std::size_t count) {
  std::mt19937_64 random(5);
  std::vector<float> values;
  while (values.size() < count) {
    const float large = std::ldexp(static_cast<float>(random() % 4096) + 1, static_cast<int>(random() % 40));
    values.insert(values.end(), {large, static_cast<float>(random() % 1000) * 1e-3F});
    values.push_back(-large);
  }
  values.resize(count);
  std::shuffle(values.begin(), values.end(), random);
  return values;
}

}  // namespace

// Several thousand consecutive additions, each rounded to 2⁻⁵³ (two floats: 2⁻⁴⁸) of the sum, err in both directions.
TEST_F(Reductions, HostileSumsKeepTheirDigits) {
  const std::vector<float> values = hostile(1'000'003);
  long double exact = 0, magnitudes = 0;
  float naive = 0;
  for (const float value : values) {
    exact += static_cast<long double>(value);
    magnitudes += static_cast<long double>(std::abs(value));
    naive += value;
  }
  const auto error = [&](double found) { return std::abs(static_cast<double>(found - exact)); };
  const auto whole = static_cast<double>(magnitudes);
  const double compensated = error(sum(values, Sums::two_floats));
  EXPECT_LE(compensated, whole * 0x1p-44);
  EXPECT_LT(1e3 * compensated, error(static_cast<double>(naive)));
  if (device.info().fp64) {
    EXPECT_LE(error(sum(values, Sums::doubles)), whole * 0x1p-44);
  }
}

TEST_F(Reductions, AnyWorkGroupAndAnyCount) {
  for (const std::size_t count : {1, 63, 64, 65, 100'003})
    for (const std::size_t group : {1, 7, 64}) {
      const std::vector<float> values(count, 0.25F);
      EXPECT_EQ(sum(values, Sums::two_floats, group), 0.25 * static_cast<double>(count)) << count << " by " << group;
    }
}
