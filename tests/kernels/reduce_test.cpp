/// The reductions in every work-group size, over arrays that are no multiple of it, for Oclgrind to watch.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/files/path.hpp"
#include "compute/program/reduction.hpp"

using namespace orrery;

namespace {

class reduce : public testing::Test {
 protected:
  const Device device{choose_device(enumerate_devices(), "")};
  ProgramLibrary programs{device, kernel_folder(), {}};
  Queue queue{device};

  template <class Number>
  cl::Buffer buffer_of(const std::vector<Number>& values) {
    const cl::Buffer buffer = device.buffer(values.size() * sizeof(Number));
    queue.write_blocking(buffer, std::span<const Number>(values));
    return buffer;
  }
  template <class Number>
  double sum(Reducer& reducer, const std::vector<Number>& values) {
    const cl::Buffer buffer = buffer_of(values);
    reducer.enqueue_sum(queue, buffer, values.size());
    return reducer.sum(queue);
  }
};

// Whole numbers of both signs, whose sums are exact in a float.
std::vector<float> whole_numbers(std::size_t count) {
  std::vector<float> values;
  for (std::size_t i = 0; i < count; ++i) values.push_back(static_cast<float>(i * 7919 % 1009) - 500);
  return values;
}

double exact_sum(const std::vector<float>& values) {
  double sum = 0;
  for (const float value : values) sum += static_cast<double>(value);
  return sum;
}

}  // namespace

TEST_F(reduce, AnyWorkGroupGivesTheExactSumAndExtremes) {
  const std::vector<float> values = whole_numbers(1003);
  const cl::Buffer buffer = buffer_of(values);
  const auto [least, greatest] = std::ranges::minmax(values);
  std::vector<std::size_t> groups{48, 63, 64, 65, 100, 128, 255, 256};
  for (std::size_t group = 1; group <= 33; ++group) groups.push_back(group);
  for (const std::size_t group : groups) {
    Reducer reducer(programs, {Elements::floats, group % 2 > 0 ? Sums::doubles : Sums::two_floats, group});
    reducer.enqueue_sum(queue, buffer, values.size());
    EXPECT_EQ(reducer.sum(queue), exact_sum(values)) << group;
    reducer.enqueue_extremes(queue, buffer, values.size());
    const Extremes found = reducer.extremes(queue);
    EXPECT_EQ(found.least, least) << group;
    EXPECT_EQ(found.greatest, greatest) << group;
  }
}

TEST_F(reduce, AnyNumberOfElements) {
  Reducer floats(programs, {Elements::floats, Sums::two_floats, 3}), doubles(programs, {Elements::doubles});
  for (const std::size_t count : {1, 2, 3, 15, 16, 17, 31, 33, 191, 193, 777}) {
    const std::vector<float> values = whole_numbers(count);
    EXPECT_EQ(sum(floats, values), exact_sum(values)) << count;
    EXPECT_EQ(sum(doubles, std::vector<double>(values.begin(), values.end())), exact_sum(values)) << count;
    floats.enqueue_extremes(queue, buffer_of(values), count);
    EXPECT_EQ(floats.extremes(queue).least, *std::ranges::min_element(values)) << count;
  }
}

TEST_F(reduce, ExtremesIgnoreNaN) {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
  Reducer reducer(programs, {});
  const auto extremes_of = [&](const std::vector<float>& values) {
    const cl::Buffer buffer = buffer_of(values);
    reducer.enqueue_extremes(queue, buffer, values.size());
    return reducer.extremes(queue);
  };
  const Extremes some = extremes_of({nan, -2.5F, nan, -7, nan}), ends = extremes_of({1, -infinity, nan, infinity});
  EXPECT_EQ(some.least, -7);
  EXPECT_EQ(some.greatest, -2.5F);
  EXPECT_EQ(ends.least, -infinity);
  EXPECT_EQ(ends.greatest, infinity);
  EXPECT_TRUE(std::isnan(extremes_of({nan, nan}).least));
  EXPECT_TRUE(std::isnan(extremes_of({nan, nan}).greatest));
}

// 2²⁴ and then many ones: adding 1 to 2²⁴ does not change a float.
TEST_F(reduce, ACompensatedSumKeepsWhatAFloatLoses) {
  std::vector<float> values(4001, 1.0F);
  values.front() = 0x1p24F;
  values.back() = -0x1p24F;
  float naive = 0;
  for (const float value : values) naive += value;
  EXPECT_EQ(naive, 0);
  Reducer one_item(programs, {Elements::floats, Sums::two_floats, 1});
  EXPECT_EQ(sum(one_item, values), 3999);
}
