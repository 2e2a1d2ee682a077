/// What the profiler knows of one kernel: a plain snapshot for panels and files.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace orrery {

/// Times are microseconds on the device, NaN where the driver tells nothing (shown as "n/a").
struct KernelStatistics {
  std::string name;
  std::uint64_t launches = 0;
  std::uint64_t first_launches = 0;  ///< right after a build: counted, not averaged
  double median_us = std::numeric_limits<double>::quiet_NaN();
  double p99_us = std::numeric_limits<double>::quiet_NaN();
  double last_us = std::numeric_limits<double>::quiet_NaN();
  double busy_share = 0;           ///< device time of this kernel over wall time, in the last second, 0 … 1
  double queue_delay_us = std::numeric_limits<double>::quiet_NaN();  ///< median of queued → start
  std::vector<float> recent_us;    ///< the last launches, oldest first
};

}  // namespace orrery
