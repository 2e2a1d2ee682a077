/// The devices that a new process of this program would have if it did without some of those that this one has.
///
/// PoCL-Remote finds its devices by environment variables: POCL_DEVICES has a word "remote" for each, and
/// POCL_REMOTEn_PARAMETERS, HOST:PORT/INDEX, tells where the n-th one is. It lists no device at all while one of these
/// servers does not answer (pocl_init_devices in PoCL 6.0), so that a process that is to do without a server must not
/// be told of it. Plain values.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "compute/device/device_info.hpp"

namespace orrery {

struct DevicesLeft {
  std::vector<DeviceInfo> devices;  ///< with the ids that they have there
  /// The new process gets these environment variables; one with an empty value is to be unset.
  std::vector<std::pair<std::string, std::string>> variables;
};

/// Those of `devices` that are not among the `silent` ones, nor on a server of such a one. `listed`: all devices of
/// this process.
DevicesLeft devices_without(std::span<const DeviceInfo> silent, std::span<const DeviceInfo> devices,
                            std::span<const PlatformInfo> listed);

}  // namespace orrery
