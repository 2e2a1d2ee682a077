/// What a device can do at the most, measured by kernels that do nothing else (kernels/ceilings.cl): the roofs under
/// which every kernel stays. Rooflines: S. Williams, A. Waterman, D. Patterson, Communications of the ACM 52 (4), 2009.
#pragma once

#include <functional>
#include <string>

#include "compute/measure/roofline.hpp"
#include "compute/program/program.hpp"

namespace orrery {

/// How much is measured at once. A ceiling is the shortest of some runs: what is possible, whatever else goes on.
struct CeilingsPace {
  double long_enough = 4e-3;                            ///< seconds of a run: what a launch costs is nothing beside it
  double patience = 0.08;                               ///< seconds for the runs of one ceiling
  std::size_t most_bytes = std::size_t{1024} << 20;     ///< of memory to read or copy
  std::size_t processor_bytes = std::size_t{64} << 20;  ///< the same of a processor
  std::function<void()> rest = {};                      ///< after each run; may throw to give up
};

/// Builds and measures, a second or so; any thread. Throws a failure when a
/// kernel ends with anything but its known result: such a device's rates mean nothing.
Ceilings measure_ceilings(ProgramLibrary& programs, const CeilingsPace& pace = {});

}  // namespace orrery
