/// Simulations over one device or several: kernels for each, speeds measured, bodies shared.
#pragma once

#include <deque>

#include "compute/device/device_list.hpp"
#include "scenes/nbody/model/simulation.hpp"

namespace orrery {

/// Opened devices and their programs. Stays where it is made.
class DeviceGroup {
 public:
  explicit DeviceGroup(std::span<const DeviceInfo> devices);
  DeviceGroup(const DeviceGroup&) = delete;
  DeviceGroup& operator=(const DeviceGroup&) = delete;

  /// The one that holds the whole state.
  const Device& first() const { return devices_.front(); }
  const std::vector<Device>& devices() const { return devices_; }
  /// Of each device; the first one's first.
  std::span<ProgramLibrary* const> programs() const { return pointers_; }
  /// For people.
  std::string names() const;

 private:
  std::vector<Device> devices_;
  std::deque<ProgramLibrary> libraries_;
  std::vector<ProgramLibrary*> pointers_;
};

/// Of one device's kernels; see NbodyKernels.
struct NbodySpeed {
  double speed = 1, measured = 0;
};

/// Kernels for each device that sum in the same way, with their speeds where there are several. Builds, and measures
/// for some milliseconds; any thread. Throws a usage Error for what one of the devices cannot do.
std::vector<NbodyKernels> nbody_kernels(std::span<ProgramLibrary* const> devices, const NbodySettings& settings,
                                        std::size_t bodies);
/// Likewise, with the speeds that kernels of these devices had before: the bodies stay where they are.
std::vector<NbodyKernels> nbody_kernels(std::span<ProgramLibrary* const> devices, const NbodySettings& settings,
                                        std::size_t bodies, const std::vector<NbodySpeed>& speeds);

/// Interactions a second of these kernels on their device when nothing else runs there.
double measured_speed(const Device& device, NbodyKernels& kernels);

/// Ready to run. Waits; any thread.
NbodySimulation nbody_simulation(std::span<ProgramLibrary* const> devices, const NbodySettings& settings,
                                 const Bodies& bodies, NbodyClock clock = {}, Exchange exchange = Exchange::host);

}  // namespace orrery
