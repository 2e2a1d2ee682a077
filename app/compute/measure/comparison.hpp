/// One state computed in two ways, side by side: what each kernel took, and by how much the results differ.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "compute/queue/kernel_statistics.hpp"

namespace orrery {

/// Device time of a unit of work (a step, a picture), in seconds; NaN where the driver tells none.
struct ComparedTime {
  double median = KernelStatistics::unknown;
  double least = KernelStatistics::unknown, most = KernelStatistics::unknown;  ///< of all rounds
};

struct ComparedKernel {
  std::string name;
  std::array<ComparedTime, 2> seconds;
  std::array<double, 2> launches{};  ///< for a unit of work; 0 where that side has no such kernel
};

struct ComparedResult {
  std::string name;  ///< "Positions, largest"
  double value = 0;
  std::string unit;  ///< "of the radius that holds nine tenths"
};

struct Comparison {
  std::array<std::string, 2> sides;   ///< for people: "A device · single · auto"
  std::string work;                   ///< what was computed: "16,384 bodies, 33 steps"
  std::string unit;                   ///< "step"
  std::array<ComparedTime, 2> whole;  ///< of a unit, on the host's clock
  std::vector<ComparedKernel> kernels;
  std::vector<ComparedResult> differences;
  bool same_bits = false;
};

}  // namespace orrery
