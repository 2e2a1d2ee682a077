/// Devices that do not answer a command.
#pragma once

#include <string>

#include "compute/device/call_watch.hpp"
#include "compute/queue/answering.hpp"

namespace orrery::cli {

/// Seconds that a command waits for the answer of a device.
double longest_silence();

/// Ends the process although a driver blocks one of its threads, or would block the destruction of objects. Prints
/// `line` on standard error unless it is empty.
[[noreturn]] void end_at_once(const std::string& line, int code);

/// During its life, a device that does not answer this thread for longest_silence() ends the process with a message.
class SilenceWatch {
 public:
  SilenceWatch();
  ~SilenceWatch() { limit_silence(); }

 private:
  CallWatch calls_;
};

/// Returns whether the device answers another thread.
bool answers(const DeviceInfo& device);

}  // namespace orrery::cli
