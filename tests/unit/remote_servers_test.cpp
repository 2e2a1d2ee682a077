// Which devices a new process has that does without some servers of PoCL-Remote, and by which variables.
#include "compute/device/remote_servers.hpp"

#include <gtest/gtest.h>

#include <map>

#include "base/platform/process.hpp"
#include "compute/device/device.hpp"

namespace orrery {
namespace {

DeviceInfo listed_device(int platform, int number, bool remote) {
  DeviceInfo info;
  info.id = {platform, number};
  info.version = remote ? "OpenCL 3.0 PoCL pocl-remote" : "OpenCL 3.0";
  return info;
}

/// A platform of another driver, and one of PoCL with a local device and three on two servers.
const std::vector<PlatformInfo> listed{
    {.name = "other", .vendor = {}, .version = {}, .devices = {listed_device(0, 0, false)}, .fault = {}},
    {.name = "PoCL",
     .vendor = {},
     .version = {},
     .devices = {listed_device(1, 0, false), listed_device(1, 1, true), listed_device(1, 2, true),
                 listed_device(1, 3, true)},
     .fault = {}}};

class RemoteServers : public testing::Test {
 protected:
  RemoteServers() {
    for (const auto& [name, value] : given) platform::set_variable(name, value);
  }
  ~RemoteServers() override {
    for (const auto& [name, value] : given) platform::set_variable(name, "");
  }
  const std::map<std::string, std::string> given{{"POCL_DEVICES", "pthread remote remote remote"},
                                                 {"POCL_REMOTE0_PARAMETERS", "a:10998/0"},
                                                 {"POCL_REMOTE1_PARAMETERS", "b:10998/0"},
                                                 {"POCL_REMOTE2_PARAMETERS", "a:10998/1"}};

  static std::string ids(const std::vector<DeviceInfo>& devices) {
    std::string text;
    for (const DeviceInfo& each : devices) text += text_of(each.id) + " ";
    return text;
  }
};

const std::vector<DeviceInfo> all{listed_device(0, 0, false), listed_device(1, 0, false), listed_device(1, 1, true),
                                  listed_device(1, 2, true), listed_device(1, 3, true)};

TEST_F(RemoteServers, AServerThatIsSilentIsNotNamedAnyMoreNorAreItsOtherDevices) {
  const DevicesLeft left = devices_without(std::vector{listed_device(1, 3, true)}, all, listed);
  EXPECT_EQ(ids(left.devices), "0:0 1:0 1:1 ") << "the device of b moves to the place of the first";
  const std::map<std::string, std::string> variables(left.variables.begin(), left.variables.end());
  EXPECT_EQ(variables.at("POCL_DEVICES"), "pthread remote");
  EXPECT_EQ(variables.at("POCL_REMOTE0_PARAMETERS"), "b:10998/0");
  EXPECT_EQ(variables.size(), 2U);
}

TEST_F(RemoteServers, TheLastOneLeavesTheOthersWhereTheyAre) {
  const DevicesLeft left = devices_without(std::vector{listed_device(1, 2, true)}, all, listed);
  EXPECT_EQ(ids(left.devices), "0:0 1:0 1:1 1:2 ");
  const std::map<std::string, std::string> variables(left.variables.begin(), left.variables.end());
  EXPECT_EQ(variables.at("POCL_DEVICES"), "pthread remote remote");
  EXPECT_EQ(variables.at("POCL_REMOTE0_PARAMETERS"), "a:10998/0");
  EXPECT_EQ(variables.at("POCL_REMOTE1_PARAMETERS"), "a:10998/1");
}

TEST_F(RemoteServers, ALocalDeviceChangesNoVariable) {
  const DevicesLeft left = devices_without(std::vector{listed_device(1, 0, false)}, all, listed);
  EXPECT_EQ(ids(left.devices), "0:0 1:1 1:2 1:3 ");
  EXPECT_TRUE(left.variables.empty());
}

TEST_F(RemoteServers, OfTheTwoPartsOfADeviceOneRemains) {
  std::vector<DeviceInfo> parts{listed_device(0, 0, false), listed_device(0, 0, false)};
  for (std::uint32_t part = 0; part < 2; ++part) parts[part].part = part, parts[part].parts = 2;
  const DevicesLeft left = devices_without(std::vector{parts[0]}, parts, listed);
  ASSERT_EQ(left.devices.size(), 1U);
  EXPECT_EQ(left.devices.front().part, 1U);
}

}  // namespace
}  // namespace orrery
