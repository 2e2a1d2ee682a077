/// The profiler's results for one kernel: a plain snapshot for panels and files.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace orrery {

/// Times are microseconds on the device, NaN if the driver reports none (shown as "n/a"). Quantiles are over the latest
/// launches, without those right after a build.
struct KernelStatistics {
  static constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

  std::string name;
  std::string file;       ///< the source file; empty if it is not a kernel, or unknown
  bool modified = false;  ///< the source was edited by the user
  std::uint64_t launches = 0;
  std::uint64_t first_launches = 0;  ///< launches right after a build: counted, not averaged
  std::uint64_t untimed = 0;         ///< launches without a time, or with an impossible one
  double median_us = unknown;
  double p90_us = unknown;
  double p99_us = unknown;
  double last_us = unknown;
  double timed_seconds = 0;         ///< total, without first launches
  double first_us = unknown;        ///< the last launch right after a build
  double busy_share = 0;            ///< device time of this kernel divided by wall time, over the last second, 0 … 1
  double queue_delay_us = unknown;  ///< median of queued → start
  double spread = unknown;          ///< quartile distance divided by the median, of the time per unit of work
  double slowdown = 1;              ///< growth of the time for the same work, over minutes
  double operations_per_second = unknown;  ///< while it runs; a multiply-add is one operation
  double bytes_per_second = unknown;       ///< requested from global memory while it runs
  bool doubles = false;                    ///< the operations are in double precision
  std::vector<float> recent_us;            ///< the latest launches, oldest first

  /// True if the device slows down: the same work takes steadily longer.
  bool is_throttled() const { return slowdown > 1.05; }
  /// True if half of the times differ by more than a tenth of the median.
  bool is_noisy() const { return spread > 0.1; }
};

/// Names of commands that copy buffers.
namespace copying {
inline constexpr std::string_view copy = "copy", read = "read", write = "write";
}  // namespace copying

/// Device time divided by wall time, over the last second: the sum over all kernels, at most 1 where queues run side by
/// side, and the sum over all copies. Unknown if the driver reports no timings.
struct DeviceUse {
  double computing = 0, copying = 0;
  double busy() const { return std::min(computing + copying, 1.0); }
  static DeviceUse of_no_timings() { return {KernelStatistics::unknown, KernelStatistics::unknown}; }
};
inline DeviceUse device_use(std::span<const KernelStatistics> kernels) {
  const auto untimed = [](const KernelStatistics& kernel) {
    return kernel.untimed > 0 && std::isnan(kernel.last_us) && std::isnan(kernel.first_us);
  };
  if (!kernels.empty() && std::ranges::all_of(kernels, untimed)) return DeviceUse::of_no_timings();
  DeviceUse use;
  for (const KernelStatistics& kernel : kernels) {
    const bool copies = kernel.name == copying::copy || kernel.name == copying::read || kernel.name == copying::write;
    (copies ? use.copying : use.computing) += kernel.busy_share;
  }
  use.computing = std::min(use.computing, 1.0);
  return use;
}

}  // namespace orrery
