/// What tests on a device share.
#pragma once

#include "compute/program/program.hpp"
#include "compute/queue/queue.hpp"

namespace orrery {

/// A device, opened once for all tests of a program.
struct Bench {
  Device device{choose_device(enumerate_devices(), "")};
  Queue queue{device};
  ProgramLibrary programs{device};
};

inline Bench& bench() {
  static Bench instance;
  return instance;
}

}  // namespace orrery
