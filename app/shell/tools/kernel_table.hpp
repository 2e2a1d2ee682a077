/// The statistics of the open devices' kernels, as the panels show them: renewed ten times a second. Window thread.
#pragma once

#include <vector>

#include "shell/devices/open_devices.hpp"
#include "shell/tools/kernel_editor.hpp"

namespace orrery::shell {

/// The statistics now, each with the file that its kernel was built from.
inline std::vector<KernelStatistics> kernel_statistics(OpenDevices& devices) {
  std::vector<KernelStatistics> kernels = devices.queue().profiler().statistics();
  name_sources(kernels, devices.queue(), devices.programs());
  return kernels;
}

/// Unknown where nobody asks the driver for timings (--profile off).
inline DeviceUse use_told_by(const std::vector<KernelStatistics>& kernels) {
  return asks_for_times() ? device_use(kernels) : DeviceUse::of_no_timings();
}

class KernelTable {
 public:
  /// Each frame.
  void follow(OpenDevices& devices, double now) {
    constexpr double interval = 0.1;  // seconds
    if (now - renewed_ <= interval) return;
    kernels_ = kernel_statistics(devices);
    renewed_ = now;
  }
  const std::vector<KernelStatistics>& kernels() const { return kernels_; }

 private:
  std::vector<KernelStatistics> kernels_;
  double renewed_ = 0;
};

}  // namespace orrery::shell
