/// The phases of the window's devices, and every transition from one phase to another. Plain values: no device is
/// touched here, any thread.
///
/// transition() is the whole table: an event that it does not list for a phase changes nothing.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "compute/device/device_info.hpp"

namespace orrery::shell {

using DeviceInfos = std::vector<DeviceInfo>;

/// Devices that were closed by an error.
struct DeviceLoss {
  DeviceInfos devices;
  std::string cause;
};

namespace device_phase {

/// The devices of this machine are being listed.
struct Listing {};
/// No device is open, and none is going to be until the user chooses one.
struct Closed {};
/// No device is open; these are opened next.
struct Opening {
  DeviceInfos devices;
  std::optional<DeviceLoss> after;  ///< they continue from the copy that these lost devices left
  bool answer = false;              ///< they have answered another thread: opening them blocks nothing
};
struct Open {};
/// The open devices have not answered for a while.
struct Silent {};
/// The open devices are copied to the host; then the next ones take their place.
struct Leaving {
  DeviceInfos next;
  double since = 0;
};
/// No device is open: the lost ones are asked whether they still answer.
struct Recovering {
  DeviceLoss loss;
};

}  // namespace device_phase

using DevicePhase = std::variant<device_phase::Listing, device_phase::Closed, device_phase::Opening, device_phase::Open,
                                 device_phase::Silent, device_phase::Leaving, device_phase::Recovering>;

namespace device_event {

/// The program or the user wants other devices.
struct Chosen {
  DeviceInfos devices;
  double now = 0;
};
struct Opened {};
/// No device can be opened.
struct Refused {};
/// An OpenCL call of the open devices has failed.
struct Failed {
  DeviceLoss loss;
};
struct FellSilent {};
/// The open devices answer again, or the devices to open have been asked.
struct Answered {};
/// The host has a copy of everything that would be lost with the open devices.
struct Copied {};
/// The copy takes too long.
struct TimedOut {};
/// The lost devices have been asked; empty: none is usable.
struct Survived {
  DeviceInfos devices;
};
/// The window closes.
struct Ended {};

}  // namespace device_event

using DeviceEvent =
    std::variant<device_event::Chosen, device_event::Opened, device_event::Refused, device_event::Failed,
                 device_event::FellSilent, device_event::Answered, device_event::Copied, device_event::TimedOut,
                 device_event::Survived, device_event::Ended>;

/// The end of the devices that were open before a transition.
enum class DeviceEnding {
  none,           ///< none were open, or they stay open
  release,        ///< everything on them is released
  after_error,    ///< release if they still finish their work, else abandon
  abandon,        ///< they take too long
  abandon_silent  ///< they do not answer
};

struct Transition {
  DevicePhase phase;
  DeviceEnding ending = DeviceEnding::none;
};

Transition transition(DevicePhase phase, DeviceEvent event);

/// The phases in which devices are open.
bool is_open(const DevicePhase& phase);

/// Counts how often each device has been lost lately.
class DeviceLosses {
 public:
  /// True if the device has been lost for the third time within ten minutes.
  bool note(const DeviceId& device, double now);
  void forget(const DeviceId& device);

 private:
  std::map<std::string, std::vector<double>> times_;
};

}  // namespace orrery::shell
