/// PoCL before 6.0 ends the process if two queues run one kernel, with equal work-group sizes, from different offsets
/// or over a wider range for the first time: pocl_release_dlhandle_cache() then releases the other queue's machine code
/// (lib/CL/devices/common.c). 3.1 counts each use twice, so there it happens only between those two counts: in 22 of
/// 600 runs of 500 bodies on two devices. Program libraries that exist at the same time must therefore not share
/// programs.
#pragma once

#include <string>

#include "compute/device/device_info.hpp"

namespace orrery {

/// True if the driver has this fault.
bool confuses_queues(const DeviceInfo& info);

/// The lowest unused number; 0 for drivers without the fault. Any thread.
class OwnPrograms {
 public:
  explicit OwnPrograms(const DeviceInfo& info);
  ~OwnPrograms();
  OwnPrograms(const OwnPrograms&) = delete;
  OwnPrograms& operator=(const OwnPrograms&) = delete;

  /// A compiler option, after a blank, that makes the program distinct from others of the same source. Empty if none is
  /// needed.
  std::string option() const { return number_ == 0 ? std::string() : " -D OWN_PROGRAMS=" + std::to_string(number_); }

 private:
  int number_ = 0;
};

}  // namespace orrery
