/// Peak rates of a device, measured by special kernels (kernels/common/ceilings.cl): the roofs above all other kernels.
/// Rooflines: S. Williams, A. Waterman, D. Patterson, Communications of the ACM 52 (4), 2009.
#pragma once

#include <functional>

#include "compute/measure/roofline.hpp"
#include "compute/program/program.hpp"

namespace orrery {

/// The extent of the measurements. A ceiling is the shortest of several runs: the best case.
struct CeilingsPace {
  double long_enough = 4e-3;                            ///< seconds of a run, long against the cost of a launch
  double patience = 0.08;                               ///< seconds for the runs of one ceiling
  std::size_t most_bytes = std::size_t{1024} << 20;     ///< bytes of memory to read or copy
  std::size_t processor_bytes = std::size_t{64} << 20;  ///< the same for a CPU
  std::function<void()> rest = {};                      ///< called after each run; may throw to cancel
};

/// Builds and measures in about a second; any thread. Throws a failure if a kernel computes a wrong result: the rates
/// of such a device have no meaning.
Ceilings measure_ceilings(ProgramLibrary& programs, const CeilingsPace& pace = {});

}  // namespace orrery
