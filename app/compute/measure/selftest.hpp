/// Checks of a device and its driver, one after another: what every scene builds on, at its smallest.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "compute/program/program.hpp"

namespace orrery {

/// One check. `run` waits for the device and returns what is worth telling ("1,000,003 values"); it throws Error when
/// the result is wrong, NotHere when there is nothing to check.
struct SelftestItem {
  std::string name;
  std::function<std::string()> run;
};
struct NotHere {
  std::string reason;
};

/// Fill and map, parallel sum, minimum by local and by global atomics, hand-over of two buffers between two queues.
/// Borrows the library. Any thread.
std::vector<SelftestItem> device_selftests(ProgramLibrary& programs);

}  // namespace orrery
