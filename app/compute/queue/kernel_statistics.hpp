/// What the profiler knows of one kernel: a plain snapshot for panels and files.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace orrery {

/// Times are microseconds on the device, NaN where the driver tells nothing (shown as "n/a"). Quantiles are of the
/// last launches, without those right after a build.
struct KernelStatistics {
  static constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

  std::string name;
  std::string file;       ///< of its source; empty for what is no kernel, or not known
  bool modified = false;  ///< a person has edited that source
  std::uint64_t launches = 0;
  std::uint64_t first_launches = 0;  ///< right after a build: counted, not averaged
  std::uint64_t untimed = 0;         ///< of which the driver told no time, or an impossible one
  double median_us = unknown;
  double p90_us = unknown;
  double p99_us = unknown;
  double last_us = unknown;
  double timed_seconds = 0;         ///< altogether, but for first launches
  double first_us = unknown;        ///< the last launch right after a build
  double busy_share = 0;            ///< device time of this kernel over wall time, in the last second, 0 … 1
  double queue_delay_us = unknown;  ///< median of queued → start
  double spread = unknown;          ///< distance of the quartiles over the median, of the time for a unit of work
  double slowdown = 1;              ///< the same work has been taking longer and longer: so many times, in minutes
  double operations_per_second = unknown;  ///< while it runs; a multiply-add is one operation
  double bytes_per_second = unknown;       ///< asked of global memory while it runs
  bool doubles = false;                    ///< the operations are in double precision
  std::vector<float> recent_us;            ///< the last launches, oldest first

  /// The clock falls: the same work takes steadily longer.
  bool is_throttled() const { return slowdown > 1.05; }
  /// Half of the times lie further apart than a tenth of their median.
  bool is_noisy() const { return spread > 0.1; }
};

}  // namespace orrery
