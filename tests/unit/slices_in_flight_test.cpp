#include "compute/queue/slices_in_flight.hpp"

#include <gtest/gtest.h>

#include "compute/device/device.hpp"

namespace orrery {
namespace {

TEST(SlicesInFlight, CountIncompleteSlicesInTheOrderOfTheQueue) {
  const Device device(choose_device(enumerate_devices(), ""));
  cl::UserEvent first(device.context()), second(device.context());
  SlicesInFlight slices;
  EXPECT_TRUE(slices.empty());
  slices.add(first, 0.002);
  slices.add(second, 0.003);
  EXPECT_DOUBLE_EQ(slices.seconds(), 0.005);
  second.setStatus(CL_COMPLETE);
  EXPECT_DOUBLE_EQ(slices.seconds(), 0.005) << "the queue has not come to it";
  first.setStatus(CL_COMPLETE);
  EXPECT_EQ(slices.seconds(), 0);
  EXPECT_TRUE(slices.empty());
}

}  // namespace
}  // namespace orrery
