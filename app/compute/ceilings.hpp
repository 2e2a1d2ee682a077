/// What a device can do at the most, measured by kernels that do nothing else (kernels/ceilings.cl): the roofs under
/// which every kernel stays. Rooflines: S. Williams, A. Waterman, D. Patterson, Communications of the ACM 52 (4), 2009.
#pragma once

#include <functional>
#include <string>

#include "compute/program.hpp"

namespace orrery {

/// Per second; 0 where the device cannot.
struct Ceilings {
  double multiply_adds = 0;         ///< fused or not, in single precision; each is two operations
  double multiply_adds_double = 0;  ///< in double precision
  double roots = 0;                 ///< reciprocal square roots in single precision, the fastest kind
  double read_bytes = 0;            ///< from global memory, far beyond any cache
  double copy_bytes = 0;            ///< read and written there: both count
  double local_bytes = 0;           ///< from local memory
  double launch_seconds = 0;        ///< an empty kernel, from the call to its end
  double launch_interval = 0;       ///< from one empty kernel to the next, many enqueued
};

/// Builds and measures, a second or so; any thread. `between` is called after each measurement. Throws a failure when a
/// kernel ends with anything but its known result: such a device's rates mean nothing.
Ceilings measure_ceilings(ProgramLibrary& programs, const std::function<void()>& between = {});

}  // namespace orrery
