/// Shared by all tests that run on a device.
#pragma once

#include "compute/program/program.hpp"
#include "compute/queue/queue.hpp"

namespace orrery {

/// Programs that only the driver caches. PoCL compiles each kernel once more when asked for a binary, and no test
/// starts its many variants from binaries.
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
