/// Devices that do not answer are noticed on any queue.
#include <gtest/gtest.h>

#include <utility>

#include "compute/device/device_list.hpp"
#include "compute/queue/answering.hpp"
#include "compute/queue/queue.hpp"
#include "shell/devices/open_devices.hpp"

namespace orrery {
namespace {

DeviceInfo first_device() { return choose_device(enumerate_devices(), ""); }

/// Blocks a queue like an endless kernel, until destroyed.
class Hold {
 public:
  Hold(const Device& device, Queue& queue) : gate_(device.context()) { queue.after(gate_); }
  ~Hold() { release(); }
  Hold(const Hold&) = delete;
  Hold& operator=(const Hold&) = delete;
  void release() {
    if (!std::exchange(released_, true)) gate_.setStatus(CL_COMPLETE);
  }

 private:
  cl::UserEvent gate_;
  bool released_ = false;
};

TEST(Silence, TheWindowsDevicesAreSilentWhileAnotherQueueOfTheirsIs) {
  shell::OpenDevices devices({first_device()}, {}, false);
  Queue beside(devices.device_object(), devices.queue());
  const auto ask = [&](double now) {
    devices.queue().finish();
    return devices.measure_silence(now);
  };
  EXPECT_EQ(ask(1), 0);
  beside.finish();
  Hold hold(devices.device_object(), beside);
  EXPECT_EQ(ask(2), 0);
  EXPECT_EQ(ask(9), 7);
  hold.release();
  beside.finish();
  EXPECT_EQ(ask(10), 0);
}

TEST(Silence, ADestroyedQueueIsNotAsked) {
  const Device device(first_device());
  Queue queue(device);
  {
    Queue beside(device, queue);
    EXPECT_EQ(queue.markers().size(), 2U);
    Queue moved = std::move(beside);
    EXPECT_EQ(queue.markers().size(), 2U);
    moved.finish();
  }
  EXPECT_EQ(queue.markers().size(), 1U);
}

TEST(Silence, WaitingForAnotherQueueEndsAtTheTimeout) {
  const Device device(first_device());
  Queue queue(device), beside(device, queue);
  Hold hold(device, beside);
  const cl::Event last = beside.marker();
  std::string told;
  limit_silence(0.05, [&](const DeviceSilent& silent) { told = silent.what(); });
  EXPECT_THROW(queue.wait_until([&] { return is_complete(last); }), DeviceSilent);
  limit_silence();
  EXPECT_NE(told.find("has not answered for 0.05 s"), std::string::npos) << told;
  hold.release();
  queue.wait_until([&] { return is_complete(last); });
}

}  // namespace
}  // namespace orrery
