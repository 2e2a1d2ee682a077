/// The histogram kernels, on pictures that fit no group, for Oclgrind to watch.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/files/path.hpp"
#include "scenes/mandelbrot/output/equalizer.hpp"

using namespace orrery;
using namespace orrery::mandelbrot;

namespace {

constexpr float interior = -1e30f, unknown = -3e38f;

std::vector<float> values_of(std::size_t count) {
  std::vector<float> values;
  for (std::size_t i = 0; i < count; ++i) {
    const float value = 700.25f + static_cast<float>(std::fmod(static_cast<double>(i * i) * 0.37, 900.0));
    values.push_back(i % 7 == 3 ? interior : i % 11 == 5 ? unknown : value);
  }
  return values;
}

}  // namespace

TEST(mandelbrot_histogram, GivesThePartBelowEachValue) {
  const Device device(choose_device(enumerate_devices(), ""));
  ProgramLibrary programs(device, kernel_folder(), {});
  Queue queue(device);
  Equalizer equalizer(programs);
  const std::vector<float> values = values_of(1003);
  const cl::Buffer buffer = device.buffer(values.size() * sizeof(float));
  queue.write_blocking<float>(buffer, values);
  equalizer.enqueue(queue, buffer, values.size());
  queue.finish();
  const auto found = equalizer.collect();
  ASSERT_TRUE(found);
  EXPECT_FALSE(equalizer.collect());
  EXPECT_EQ(found->origin, 700.25);
  double all = 0;
  for (const float value : values) all += value > interior ? 1 : 0;
  for (const float at : {701.0f, 720.0f, 900.0f, 1400.0f}) {
    double below = 0;
    for (const float value : values) below += value > interior && value < at ? 1 : 0;
    // A bin is 1/64 of an octave wide; values within a bin have the same rank.
    EXPECT_NEAR(found->rank(static_cast<double>(at)), below / all, 0.02) << at;
  }
}
