/// PoCL 4 and 5 (and 3.0 and earlier, but not 3.1) end the process where two queues run one kernel, in work-groups of
/// one size, from different offsets or over a wider range for the first time: pocl_release_dlhandle_cache() then counts
/// down the use of the other's machine code (lib/CL/devices/common.c; mended in 6.0). Libraries of programs that are
/// alive at the same time must therefore not have programs in common.
#pragma once

#include <string>

#include "compute/device/device_info.hpp"

namespace orrery {

/// The driver is one of those.
bool confuses_queues(const DeviceInfo& info);

/// The lowest number that nobody else has at present; 0 for drivers that need none. Any thread.
class OwnPrograms {
 public:
  explicit OwnPrograms(const DeviceInfo& info);
  ~OwnPrograms();
  OwnPrograms(const OwnPrograms&) = delete;
  OwnPrograms& operator=(const OwnPrograms&) = delete;

  /// For the compiler, with a blank before it: makes a program of its own of the same source. Empty where none is
  /// needed.
  std::string option() const { return number_ == 0 ? std::string() : " -D OWN_PROGRAMS=" + std::to_string(number_); }

 private:
  int number_ = 0;
};

}  // namespace orrery
