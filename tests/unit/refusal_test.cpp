#include "compute/device/refusal.hpp"

#include <gtest/gtest.h>

#include "compute/program/program.hpp"
#include "compute/queue/queue.hpp"
#include "scenes/nbody/model/memory.hpp"

namespace orrery {
namespace {

DeviceInfo device_with(std::size_t bytes, std::size_t largest) {
  DeviceInfo device;
  device.name = "Small";
  device.global_bytes = bytes;
  device.allocation_bytes = largest;
  return device;
}

// The driver's error for a launch with more work-items per group than the device allows.
TEST(refusal, a_launch_that_is_too_large_tells_the_value_the_limits_and_the_largest_that_fits) {
  const Device device(choose_device(enumerate_devices(), ""));
  ProgramLibrary programs(device);
  cl::Kernel fill = programs.build({"selftest.cl", {{"WORK_GROUP", "64"}}})->kernel("fill_pattern");
  Queue queue(device);
  const cl::Buffer numbers = device.buffer(64);
  fill.setArg(0, numbers);
  fill.setArg(1, cl_uint{1});
  fill.setArg(2, cl_uint{0});
  const std::size_t most = device.info().max_work_group, many = 2 * most;
  try {
    queue.launch("fill", fill, {many, many});
    FAIL() << "it was launched";
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::usage);
    EXPECT_TRUE(is_refusal(error));
    EXPECT_FALSE(is_memory_refusal(error));
    EXPECT_EQ(error.details().value, std::to_string(many));
    EXPECT_NE(error.details().advice.find("the device allows at most " + std::to_string(most)), std::string::npos)
        << error.what();
    EXPECT_NE(error.details().advice.find("use --work-group " + std::to_string(most)), std::string::npos)
        << error.what();
  }
}

TEST(refusal, a_buffer_beyond_the_limit_is_a_refusal_of_memory_and_a_lost_device_is_none) {
  const Device device(choose_device(enumerate_devices(), ""));
  try {
    (void)device.buffer(device.info().allocation_bytes + 1);
    FAIL() << "it was allocated";
  } catch (const Error& error) {
    EXPECT_TRUE(is_memory_refusal(error)) << error.what();
  }
  for (const cl_int code : {CL_OUT_OF_RESOURCES, CL_INVALID_COMMAND_QUEUE, CL_DEVICE_NOT_AVAILABLE})
    EXPECT_FALSE(is_refusal(opencl_error(cl::Error(code), "a launch", "Some GPU")));
}

TEST(refusal, the_error_of_a_failed_call_names_its_code) {
  const Error told = as_error(cl::Error(CL_OUT_OF_RESOURCES, "clSetKernelArg"));
  EXPECT_EQ(told.fault(), Fault::failure);
  EXPECT_NE(std::string(told.what()).find("clSetKernelArg"), std::string::npos) << told.what();
  EXPECT_NE(std::string(told.what()).find("CL_OUT_OF_RESOURCES"), std::string::npos) << told.what();
  EXPECT_EQ(as_error(usage_error("--dt", "0", "a number above 0")).fault(), Fault::usage);
  EXPECT_STREQ(as_error(std::runtime_error("the disk is full")).what(), failure("the disk is full").what());
}

// Two position buffers, velocities, accelerations, two surfaces of two float4 each, and a row for each of 4 or 16
// parts.
TEST(refusal, the_most_bodies_are_those_whose_buffers_fill_the_memory) {
  constexpr std::size_t huge = std::size_t{1} << 50, of_many = (4 + 4) * 16 + 64, of_few = (4 + 16) * 16 + 64;
  EXPECT_EQ(most_bodies(device_with(of_many << 22, huge), Precision::single), std::size_t{1} << 22);
  // Parts are whole blocks of 512 bodies, so there may be 14 of the 16 allowed parts.
  EXPECT_GE(most_bodies(device_with(of_few << 15, huge), Precision::single), std::size_t{1} << 15);
  EXPECT_LT(most_bodies(device_with(of_few << 15, huge), Precision::single), (std::size_t{8} << 15) / 7);
  // One buffer holds four rows of doubles.
  EXPECT_EQ(most_bodies(device_with(huge, (4 * 32) << 22), Precision::double_), std::size_t{1} << 22);
}

// Individual steps need a level and a place in a list for each body, contacts at least two buckets of a hash.
TEST(refusal, fewer_bodies_fit_where_they_need_more_buffers) {
  const DeviceInfo device = device_with(std::size_t{1} << 32, std::size_t{1} << 50);
  NbodySettings settings;
  settings.forces = "gather";
  const std::size_t most = most_bodies(device, {settings, Precision::single});
  settings.time_steps = "individual";
  const std::size_t individual = most_bodies(device, {settings, Precision::single});
  settings.time_steps = "shared";
  settings.contact = "merge";
  const std::size_t merging = most_bodies(device, {settings, Precision::single});
  EXPECT_NEAR(static_cast<double>(individual), static_cast<double>(most) * 192 / 197, 4);  // and one clock
  EXPECT_LT(merging, most * 192 / 204);
}

// 384 bytes per body, as above.
TEST(refusal, more_bodies_than_memory_are_refused_with_the_largest_number) {
  const DeviceInfo device = device_with(std::size_t{384} << 15, std::size_t{1} << 40);
  const std::size_t most = most_bodies(device, Precision::single);
  EXPECT_NO_THROW(check_memory(device, Precision::single, 0));
  EXPECT_NO_THROW(check_memory(device, Precision::single, most));
  try {
    check_memory(device, Precision::single, 2 * most);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::usage);
    EXPECT_EQ(error.details().value, std::to_string(2 * most));
    const std::string what = error.what();
    EXPECT_NE(what.find(std::to_string(most) + " in single precision"), std::string::npos) << what;
    EXPECT_NE(what.find("they need 26.2 MiB of memory and the device has 12 MiB"), std::string::npos) << what;
  }
}

}  // namespace
}  // namespace orrery
