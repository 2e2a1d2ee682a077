/// Simulations on one device or several: builds the kernels of each, measures speeds and shares the bodies.
#pragma once

#include <deque>

#include "compute/device/device_list.hpp"
#include "compute/program/program_plan.hpp"
#include "scenes/nbody/model/simulation.hpp"

namespace orrery {

/// Opened devices and their programs. Neither copied nor moved.
class DeviceGroup {
 public:
  explicit DeviceGroup(std::span<const DeviceInfo> devices);
  DeviceGroup(const DeviceGroup&) = delete;
  DeviceGroup& operator=(const DeviceGroup&) = delete;

  /// The device that holds the whole state.
  const Device& first() const { return devices_.front(); }
  const std::vector<Device>& devices() const { return devices_; }
  /// The programs of each device, in the order of devices().
  std::span<ProgramLibrary* const> programs() const { return pointers_; }
  /// Names for messages.
  std::string names() const;

 private:
  std::vector<Device> devices_;
  std::deque<ProgramLibrary> libraries_;
  std::vector<ProgramLibrary*> pointers_;
};

/// Speed of one device's kernels; see NbodyKernels.
struct NbodySpeed {
  double speed = 1, measured = 0;
};

/// Kernels for each device; all sum in the same way. Several devices also get their speeds. Builds, and measures for
/// some milliseconds; any thread. Throws a usage Error for settings that one of the devices does not support.
std::vector<NbodyKernels> nbody_kernels(std::span<ProgramLibrary* const> devices, const NbodySettings& settings,
                                        std::size_t bodies, const NbodyCompany& company = {});
/// The programs that nbody_kernels() builds.
std::vector<ProgramPlan::Part> nbody_programs(std::span<ProgramLibrary* const> devices, const NbodySettings& settings,
                                              std::size_t bodies);
/// The same kernels with the speeds of earlier ones on these devices: the bodies stay where they are.
std::vector<NbodyKernels> nbody_kernels(std::span<ProgramLibrary* const> devices, const NbodySettings& settings,
                                        std::size_t bodies, const std::vector<NbodySpeed>& speeds,
                                        const NbodyCompany& company = {});

/// Interactions per second of these kernels while nothing else runs on the device.
double measured_speed(const Device& device, NbodyKernels& kernels);

/// The way in which several devices share the bodies.
struct NbodySharing {
  Exchange exchange = Exchange::host;
  NbodyCompany company = {};
};

/// A simulation that is ready to run. A tree continues with `memory` if that belongs to the same tree and bodies; else
/// it is calibrated. Waits; any thread.
NbodySimulation nbody_simulation(std::span<ProgramLibrary* const> devices, const NbodySettings& settings,
                                 const Bodies& bodies, NbodyClock clock = {}, const NbodySharing& sharing = {},
                                 const TreeMemory& memory = {});
/// A simulation that continues from exact bits, with its field.
NbodySimulation nbody_simulation(std::span<ProgramLibrary* const> devices, const NbodySettings& settings,
                                 const NbodyExact& exact, NbodyClock clock, const NbodySharing& sharing);
/// The devices of all ranks, which it asks, with the place of this process.
NbodyCompany nbody_company(Ranks* ranks, std::size_t devices);

}  // namespace orrery
