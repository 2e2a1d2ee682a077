/// What tests on a device share.
#pragma once

#include "compute/program/program.hpp"
#include "compute/queue/queue.hpp"

namespace orrery {

/// Programs that only the driver caches. The binaries that the product keeps are dear on PoCL, which compiles each
/// kernel once more for them, and the many variants that tests compile are never started from them.
inline ProgramLibrary uncached_programs(const Device& device) { return {device, *kernel_sources(), {}}; }

/// A device, opened once for all tests of a program.
struct Bench {
  Device device{choose_device(enumerate_devices(), "")};
  Queue queue{device};
  ProgramLibrary programs = uncached_programs(device);
};

inline Bench& bench() {
  static Bench instance;
  return instance;
}

}  // namespace orrery
