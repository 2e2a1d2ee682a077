/// Checks of a device and its driver: the basic operations that all scenes need.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "compute/program/program.hpp"

namespace orrery {

/// One check. `run` waits for the device and returns a note ("1,000,003 values"). It throws an Error if the result is
/// wrong, and NotHere if the check does not apply.
struct SelftestItem {
  std::string name;
  std::function<std::string()> run;
};
struct NotHere {
  std::string reason;
};
/// Throws NotHere if a check needs double precision and the device has none.
void need_doubles(const ProgramLibrary& programs, bool needed);

/// Fill and map, parallel sum, minimum by local and by global atomics, synchronisation of two queues over two buffers.
/// Refers to the library. Any thread.
std::vector<SelftestItem> device_selftests(ProgramLibrary& programs);

}  // namespace orrery
