/// The tuner's checks of kernels: guard zones, and reference accelerations.
#include <gtest/gtest.h>

#include "compute/tuning/device_tune_target.hpp"
#include "scenes/nbody/bodies/initial.hpp"
#include "scenes/nbody/checks/field_check.hpp"

namespace orrery {
namespace {

TEST(TuneTimer, ZeroOrUnorderedStampsAreNoTime) {
  EXPECT_FALSE(device_seconds(0, 0));
  EXPECT_FALSE(device_seconds(0, 1000));
  EXPECT_FALSE(device_seconds(1000, 0));
  EXPECT_FALSE(device_seconds(2000, 1000));
  EXPECT_DOUBLE_EQ(device_seconds(1000, 3000).value(), 2e-6);
}

struct Guarded : testing::Test {
  Device device{choose_device(enumerate_devices(), "")};
  Queue queue{device};
  GuardedBuffer buffer{device, "the sums", 1000};
  std::vector<std::byte> memory = std::vector<std::byte>(buffer.all_bytes());

  std::span<const std::byte> read() {
    buffer.read(queue, memory.data());
    queue.finish();
    return memory;
  }
  // Imitates a kernel that writes out of bounds: into the whole buffer, outside of its sub-buffer.
  void write(std::size_t at) {
    const auto margin = (buffer.all_bytes() - buffer.bytes()) / 2;
    memory[margin + at] = std::byte{0};
  }
};

TEST_F(Guarded, ZonesAreWholeUntilSomethingWritesThere) {
  buffer.arm(queue);
  EXPECT_EQ(buffer.damage(read()), "");
  ASSERT_EQ(buffer.content(memory).size(), 1000U);
  for (const std::byte byte : buffer.content(memory))
    ASSERT_EQ(byte, std::byte{0xff}) << "no number, until it is written";
  write(0);
  write(999);
  EXPECT_EQ(buffer.damage(memory), "") << "the content may be written";
  write(1000);
  EXPECT_EQ(buffer.damage(memory), "writes 0 bytes beyond the end of the sums");
}

TEST_F(Guarded, AWriteBeforeTheBeginningIsFound) {
  buffer.arm(queue);
  read();
  write(static_cast<std::size_t>(-4));
  EXPECT_EQ(buffer.damage(memory), "writes 4 bytes before the beginning of the sums");
}

TEST_F(Guarded, TheContentsOfTheSubBufferAreReadBack) {
  buffer.arm(queue);
  const std::vector<cl_uchar> sent(1000, 42);
  queue.write_blocking<cl_uchar>(buffer.buffer(), sent);
  read();
  for (const std::byte byte : buffer.content(memory)) ASSERT_EQ(byte, std::byte{42});
  EXPECT_EQ(buffer.damage(memory), "");
}

// Accelerations summed here in plain doubles.
std::vector<std::array<double, 3>> accelerations(const Bodies& bodies, double softening) {
  std::vector<std::array<double, 3>> result;
  for (const Body& at : bodies) {
    std::array<double, 3> sum{};
    for (const Body& b : bodies) {
      const double x = b.x - at.x, y = b.y - at.y, z = b.z - at.z;
      const double pull = b.mass / std::pow(x * x + y * y + z * z + softening * softening, 1.5);
      sum = {sum[0] + pull * x, sum[1] + pull * y, sum[2] + pull * z};
    }
    result.push_back(sum);
  }
  return result;
}

TEST(FieldReference, RightSumsPassAndWrongOnesDoNot) {
  const Bodies bodies = make_bodies("plummer", 700, 0, 1);
  const auto right = accelerations(bodies, 0.05);
  for (const Precision precision : {Precision::single, Precision::double_}) {
    FieldReference reference(bodies, precision, 0.05);
    EXPECT_EQ(reference.fault(right), "");
    for (const std::size_t body : {std::size_t{0}, std::size_t{333}, std::size_t{699}}) {
      auto wrong = right;
      wrong[body][1] *= 1.01;
      EXPECT_NE(reference.fault(wrong).find("body " + std::to_string(body)), std::string::npos) << body;
      wrong[body][1] = std::nan("");
      EXPECT_NE(reference.fault(wrong).find("NaN or infinite"), std::string::npos);
    }
  }
}

TEST(FieldReference, FewBodiesAreAllChecked) {
  for (const std::size_t count : {2, 64, 255, 256, 257}) {
    const Bodies bodies = make_bodies("plummer", count, 0, 1);
    const auto right = accelerations(bodies, 0.05);
    FieldReference reference(bodies, Precision::double_, 0.05);
    EXPECT_EQ(reference.fault(right), "") << count;
    for (std::size_t body = 0; body < count; ++body) {
      auto wrong = right;
      wrong[body][2] *= 1.01;
      EXPECT_NE(reference.fault(wrong).find("body " + std::to_string(body) + " has a relative error"),
                std::string::npos)
          << count;
    }
  }
}

TEST(FieldReference, RoundingOfSinglePrecisionPasses) {
  const Bodies bodies = make_bodies("plummer", 700, 0, 1);
  auto rounded = accelerations(bodies, 0.05);
  for (auto& a : rounded)
    for (double& number : a) number = static_cast<double>(static_cast<float>(number));
  EXPECT_EQ(FieldReference(bodies, Precision::single, 0.05).fault(rounded), "");
  EXPECT_NE(FieldReference(bodies, Precision::double_, 0.05).fault(rounded), "");
}

}  // namespace
}  // namespace orrery
