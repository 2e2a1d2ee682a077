/// The comparison of two computations of one state: times of the kernels, and differences of the results.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "compute/queue/kernel_statistics.hpp"

namespace orrery {

/// Device time of a unit of work (a step, a picture), in seconds; NaN if the driver reports none.
struct ComparedTime {
  double median = KernelStatistics::unknown;
  double least = KernelStatistics::unknown, most = KernelStatistics::unknown;  ///< extremes of all rounds
};

struct ComparedKernel {
  std::string name;
  std::array<ComparedTime, 2> seconds;
  std::array<double, 2> launches{};  ///< per unit of work; 0 if that side does not use the kernel
};

struct ComparedResult {
  std::string name;  ///< "Positions, largest"
  double value = 0;
  std::string unit;  ///< "of the radius that holds nine tenths"
};

struct Comparison {
  std::array<std::string, 2> sides;   ///< for display: "A device · single · auto"
  std::string work;                   ///< the work: "16,384 bodies, 33 steps"
  std::string unit;                   ///< "step"
  std::array<ComparedTime, 2> whole;  ///< per unit, on the host's clock
  std::vector<ComparedKernel> kernels;
  std::vector<ComparedResult> differences;
  bool same_bits = false;
};

}  // namespace orrery
