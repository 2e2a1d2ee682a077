// Drivers that confuse the launches of different queues get a program per queue.
#include <gtest/gtest.h>

#include <optional>

#include "compute/program/program.hpp"

namespace orrery {
namespace {

DeviceInfo of(const char* platform, const char* driver) {
  DeviceInfo info;
  info.platform = platform;
  info.driver = driver;
  return info;
}

TEST(OwnPrograms, AreForTheDriversThatConfuseQueues) {
  constexpr const char* pocl = "Portable Computing Language";
  for (const char* driver : {"1.8", "3.0", "3.1+debian", "4.0+debian", "5.0"})
    EXPECT_TRUE(confuses_queues(of(pocl, driver))) << driver;
  for (const char* driver : {"6.0", "7.1", "10.0"}) EXPECT_FALSE(confuses_queues(of(pocl, driver))) << driver;
  EXPECT_FALSE(confuses_queues(of("NVIDIA CUDA", "535.183.01")));
  EXPECT_FALSE(confuses_queues(of("Some other", "5.0")));
  EXPECT_EQ(OwnPrograms(of(pocl, "6.0")).option(), "");
}

TEST(OwnPrograms, DifferWhileTheyLiveAndAreTheSameFromOneStartToTheNext) {
  const DeviceInfo info = of("Portable Computing Language", "5.0");
  std::optional<OwnPrograms> first(info), second(info);
  const std::string one = first->option(), two = second->option();
  EXPECT_NE(one, "");
  EXPECT_NE(one, two);
  EXPECT_NE(OwnPrograms(info).option(), one);
  EXPECT_NE(OwnPrograms(info).option(), two);
  first.reset();
  EXPECT_EQ(OwnPrograms(info).option(), one) << "what was compiled for it is at hand";
}

}  // namespace
}  // namespace orrery
