/// The statistics of the open devices' kernels, as the panels show them: renewed ten times a second. Window thread.
#pragma once

#include <cstdint>
#include <map>
#include <string>
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

/// The use of the device; unknown without timings (--profile off).
inline DeviceUse use_told_by(const std::vector<KernelStatistics>& kernels) {
  return asks_for_times() ? device_use(kernels) : DeviceUse::of_no_timings();
}

class KernelTable {
 public:
  /// Called each frame.
  void follow(OpenDevices& devices, double now) {
    constexpr double interval = 0.1;  // seconds
    if (now - renewed_ <= interval) return;
    kernels_ = kernel_statistics(devices);
    renewed_ = now;
    for (KernelStatistics& kernel : kernels_) {
      Source& source = sources_[kernel.name];
      if (kernel.launches != source.launches) source = {kernel.launches, kernel.file, kernel.modified};
      kernel.file = source.file;
      kernel.modified = source.modified;
    }
  }
  const std::vector<KernelStatistics>& kernels() const { return kernels_; }

 private:
  // The source of a kernel's last launch: a driver may reuse the handle of a released program.
  struct Source {
    std::uint64_t launches = 0;
    std::string file;
    bool modified = false;
  };

  std::vector<KernelStatistics> kernels_;
  std::map<std::string, Source> sources_;  // keys: names of kernels
  double renewed_ = 0;
};

}  // namespace orrery::shell
