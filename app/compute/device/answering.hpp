/// Devices that do not answer any more.
#pragma once

#include <span>
#include <vector>

#include "compute/device/device_info.hpp"
#include "compute/device/opencl.hpp"

namespace orrery {

class Queue;

/// A device was waited for in vain, by this process's patience with it.
class DeviceSilent : public Error {
 public:
  DeviceSilent(const DeviceInfo& device, double seconds);
  /// Of the queue that was waited for; it may itself have waited for others.
  const DeviceInfo& device() const { return device_; }

 private:
  DeviceInfo device_;
};

/// From now on what waits for a queue in this process (Queue::finish and the *_blocking calls) does so for this long
/// at most, and then throws DeviceSilent. For commands whose slices of work are short; without a limit otherwise.
void limit_silence(double seconds);
/// Waits, where there is such a limit, until all is done that is enqueued.
void wait_for_answer(Queue& queue);

/// Those of the devices that answer within so many seconds. Waits for them; any thread. What a driver holds for ever
/// is left to a thread of its own: then the process must end by std::_Exit().
std::vector<DeviceInfo> answering(std::span<const DeviceInfo> devices, double seconds);

}  // namespace orrery
