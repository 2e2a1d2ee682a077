// Only driver calls that do not return are noticed.
#include "compute/device/call_watch.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>

namespace orrery {
namespace {

constexpr double limit = 0.5;  // seconds

DeviceInfo watched_device(const char* name) {
  DeviceInfo info;
  info.name = name;
  return info;
}

const DeviceInfo first = watched_device("first"), second = watched_device("second");

bool answers(const DeviceInfo&) { return true; }
bool is_silent(const DeviceInfo&) { return false; }

void pass(double seconds) { std::this_thread::sleep_for(std::chrono::duration<double>(seconds)); }

/// Collects the names of the devices whose calls were noticed.
class Noticed {
 public:
  CallWatch::Handler handler() {
    return [this](const DeviceInfo& info) { names_ += info.name + " ", ++count_; };
  }
  bool within(double seconds) const {
    for (double passed = 0; passed < seconds && count_ == 0; passed += 0.05) pass(0.05);
    return count_ > 0;
  }
  const std::string& names() const { return names_; }

 private:
  std::string names_;
  std::atomic<int> count_ = 0;
};

TEST(CallWatch, ACallThatDoesNotReturnIsNoticedWithTheInnermostDevice) {
  Noticed noticed;
  {
    const CallWatch watch(limit, is_silent, noticed.handler());
    const DriverCall outer(first);
    { const DriverCall inner(second); }
    const DriverCall inner(second);
    EXPECT_TRUE(noticed.within(60));
  }
  EXPECT_EQ(noticed.names().substr(0, 7), "second ");
}

TEST(CallWatch, ConsecutiveCallsAndPausesBetweenThemAreNotNoticed) {
  Noticed noticed;
  const CallWatch watch(10 * limit, is_silent, noticed.handler());
  for (int call = 0; call < 70; ++call) {
    const DriverCall outer(first);
    { const DriverCall inner(second); }
    pass(0.1);
  }
  pass(11 * limit);
  EXPECT_FALSE(noticed.within(0.1)) << noticed.names();
}

TEST(CallWatch, ABuildOnADeviceThatDoesNotAnswerIsNoticed) {
  Noticed noticed;
  {
    const CallWatch watch(limit, is_silent, noticed.handler());
    const DriverCall build(first, DriverCall::Kind::build);
    EXPECT_TRUE(noticed.within(60));
  }
  EXPECT_EQ(noticed.names().substr(0, 6), "first ");
}

TEST(CallWatch, ABuildOnADeviceThatAnswersIsNotNoticed) {
  Noticed noticed;
  const CallWatch watch(limit, answers, noticed.handler());
  const DriverCall build(first, DriverCall::Kind::build);
  EXPECT_FALSE(noticed.within(4 * limit)) << noticed.names();
}

TEST(CallWatch, CallsOfOtherThreadsAreNotWatched) {
  Noticed noticed;
  const CallWatch watch(limit, is_silent, noticed.handler());
  std::thread([&] {
    const DriverCall call(first);
    pass(4 * limit);
  }).join();
  EXPECT_FALSE(noticed.within(0.1)) << noticed.names();
}

}  // namespace
}  // namespace orrery
