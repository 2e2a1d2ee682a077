/// Detection of devices that no longer respond.
#pragma once

#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "compute/device/device_info.hpp"
#include "compute/device/opencl.hpp"

namespace orrery {

class Queue;

/// Thrown when a device did not respond within the time-out of this process.
class DeviceSilent : public Error {
 public:
  DeviceSilent(const DeviceInfo& device, double seconds);
  /// The device of the queue; that queue may have waited for other devices.
  const DeviceInfo& device() const { return device_; }

 private:
  DeviceInfo device_;
};

/// Sets the time-out of the calls of Queue that wait, for this process; afterwards, they call `end` with a DeviceSilent
/// and, if it returns, throw it. For commands with short slices of work. By default there is no time-out.
void limit_silence(double seconds = std::numeric_limits<double>::infinity(),
                   std::function<void(const DeviceSilent&)> end = {});
/// Waits for all enqueued commands, within the time-out if one is set.
void wait_for_answer(Queue& queue);
/// Waits within the time-out until `reached`, which is called repeatedly, returns true.
void wait_for_answer(Queue& queue, const std::function<bool()>& reached);

/// Throws an Error if the device is on another machine and its driver reports that it is no longer there. PoCL 6.0 then
/// ends commands that were never executed without an error, so that results count only after this call. Never waits.
void check_available(const cl::Device& device, const DeviceInfo& info);

/// Devices by their answers. A device in neither list is silent or computes wrongly.
struct Answers {
  std::vector<DeviceInfo> right;
  std::vector<DeviceInfo> gone;  ///< devices of other machines that their driver reports as lost
};

/// Waits for at most `seconds`; any thread. Objects that an unresponsive driver blocks are left to a thread of their
/// own: the process must then end by std::_Exit().
Answers answers_of(std::span<const DeviceInfo> devices, double seconds);
/// The devices that respond within `seconds`, likewise.
std::vector<DeviceInfo> answering(std::span<const DeviceInfo> devices, double seconds);

}  // namespace orrery
