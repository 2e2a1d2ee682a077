/// Devices that compute together: named by --device and --split, opened in one context where that is possible.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "compute/device/device.hpp"

namespace orrery {

/// What --device names, several with commas between them ("0:0,0:1"; see choose_device); or, where `split` > 1, so many
/// sub-devices of the one that it names. The first is the primary one. Throws a usage Error that names the value and
/// what is allowed: an unknown device, the same one twice, a split that the device cannot do.
std::vector<DeviceInfo> choose_devices(std::span<const PlatformInfo> platforms, std::string_view spec,
                                       std::int64_t split = 1);

/// `info` divided into sub-devices. Throws a usage Error when it cannot be.
std::vector<DeviceInfo> split_device(const DeviceInfo& info, std::int64_t parts);

/// "Some GPU", "Some GPU and Some CPU", "2 of Some GPU", "2 parts of Some CPU", "a part of Some CPU"
std::string names_of(std::span<const DeviceInfo> devices);

/// "0:0,0:1", as --device takes it.
std::string list_of(std::span<const DeviceInfo> devices);

/// Opens them in their order: those of one platform share a context where the driver allows it, so that they can copy
/// from each other's buffers.
std::vector<Device> open_devices(std::span<const DeviceInfo> devices);

}  // namespace orrery
