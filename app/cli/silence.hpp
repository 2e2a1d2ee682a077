/// Devices that do not answer a command.
#pragma once

#include <string>

#include "compute/device/call_watch.hpp"
#include "compute/queue/answering.hpp"

namespace orrery::cli {

/// Seconds that a command waits for the answer of a device.
double longest_silence();

/// Ends the process although a driver holds one of its threads, or would hold the one that destroys its objects. The
/// line goes to standard error; there may be none.
[[noreturn]] void end_at_once(const std::string& line, int code);

/// While it lives, a device that does not answer this thread for longest_silence() ends the process with a line.
class SilenceWatch {
 public:
  SilenceWatch();
  ~SilenceWatch() { limit_silence(); }

 private:
  CallWatch calls_;
};

/// Whether the device answers another thread.
bool answers(const DeviceInfo& device);

}  // namespace orrery::cli
