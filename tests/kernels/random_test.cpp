/// The random numbers against the generator's published answers and against their distribution.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "base/files/path.hpp"
#include "compute/program/program.hpp"
#include "compute/queue/queue.hpp"

using namespace orrery;

namespace {

class random_numbers : public testing::Test {
 protected:
  const Device device{choose_device(enumerate_devices(), "")};
  Queue queue{device};
  const std::shared_ptr<const Program> program = ProgramLibrary(device, kernel_folder(), {}).build({"random.cl", {}});

  std::vector<cl_float4> normals(cl_ulong seed, cl_uint purpose, cl_ulong step, std::size_t count, std::size_t group) {
    const cl::Buffer buffer = device.buffer(count * sizeof(cl_float4));
    cl::Kernel kernel = program->kernel("random_normals");
    kernel.setArg(0, buffer);
    kernel.setArg(1, seed);
    kernel.setArg(2, purpose);
    kernel.setArg(3, step);
    kernel.setArg(4, static_cast<cl_uint>(count));
    queue.launch("normals", kernel, {cl::NDRange(round_up(count, group)), cl::NDRange(group)});
    return queue.read_blocking<cl_float4>(buffer, count);
  }
};

struct KnownAnswer {
  cl_uint4 counter;
  cl_uint2 key;
  std::array<cl_uint, 4> answer;
};

// The known answers of "philox4x32 10" that come with Random123.
const std::array<KnownAnswer, 3> known_answers{{
    {{{0, 0, 0, 0}}, {{0, 0}}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
    {{{~0U, ~0U, ~0U, ~0U}}, {{~0U, ~0U}}, {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
    {{{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}},
     {{0xa4093822, 0x299f31d0}},
     {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
}};

}  // namespace

TEST_F(random_numbers, TheGeneratorGivesItsPublishedAnswers) {
  std::vector<cl_uint4> counters;
  std::vector<cl_uint2> keys;
  for (const KnownAnswer& known : known_answers) {
    counters.push_back(known.counter);
    keys.push_back(known.key);
  }
  const std::size_t count = counters.size();
  const cl::Buffer bits = device.buffer(count * sizeof(cl_uint4));
  const cl::Buffer counter_buffer = device.read_only<cl_uint4>(counters), key_buffer = device.read_only<cl_uint2>(keys);
  cl::Kernel kernel = program->kernel("random_bits");
  kernel.setArg(0, bits);
  kernel.setArg(1, counter_buffer);
  kernel.setArg(2, key_buffer);
  kernel.setArg(3, static_cast<cl_uint>(count));
  queue.launch("bits", kernel, {cl::NDRange(4), cl::NDRange(4)});
  const auto found = queue.read_blocking<cl_uint4>(bits, count);
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t k = 0; k < 4; ++k) EXPECT_EQ(found[i].s[k], known_answers[i].answer[k]) << i << ", " << k;
}

TEST_F(random_numbers, ASeedGivesTheSameNumbersInAnyWorkGroup) {
  constexpr std::size_t count = 77;
  const auto expected = normals(42, 1, 3, count, 1);
  for (const std::size_t group : {2, 7, 16, 32, 64}) {
    const auto found = normals(42, 1, 3, count, group);
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t k = 0; k < 4; ++k) EXPECT_EQ(found[i].s[k], expected[i].s[k]) << group << ", " << i;
  }
}

TEST_F(random_numbers, SeedPurposeStepAndParticleEachDrawAnew) {
  const float first = normals(42, 1, 3, 2, 1)[0].s[0];
  for (const float other : {normals(43, 1, 3, 1, 1)[0].s[0], normals(42 + (cl_ulong{1} << 32), 1, 3, 1, 1)[0].s[0],
                            normals(42, 0, 3, 1, 1)[0].s[0], normals(42, 1, 4, 1, 1)[0].s[0],
                            normals(42, 1, 3 + (cl_ulong{1} << 32), 1, 1)[0].s[0], normals(42, 1, 3, 2, 1)[1].s[0]})
    EXPECT_NE(first, other);
}

// Each bound is five standard errors of the estimate for independent normal deviates.
TEST_F(random_numbers, NormalDeviatesHaveTheMomentsOfTheirDistribution) {
  constexpr std::size_t count = 2500;
  constexpr double n = 4.0 * count;
  std::array<double, 4> moments{};
  double products = 0;  // sum over neighbours within a block
  for (const cl_float4& block : normals(7, 0, 0, count, 50))
    for (std::size_t k = 0; k < 4; ++k) {
      const auto x = static_cast<double>(block.s[k]);
      products += x * static_cast<double>(block.s[(k + 1) % 4]);
      double power = 1;
      for (double& moment : moments) moment += power *= x;
    }
  EXPECT_NEAR(moments[0] / n, 0, 5 * std::sqrt(1 / n));
  EXPECT_NEAR(moments[1] / n, 1, 5 * std::sqrt(2 / n));
  EXPECT_NEAR(moments[2] / n, 0, 5 * std::sqrt(15 / n));
  EXPECT_NEAR(moments[3] / n, 3, 5 * std::sqrt(96 / n));
  EXPECT_NEAR(products / n, 0, 5 * std::sqrt(1 / n));
}
