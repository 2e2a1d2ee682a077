/// Lists of devices that compute together, named by --device and --split, in one context where possible.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "compute/device/device.hpp"

namespace orrery {

/// The devices of --device, separated by commas ("0:0,0:1"; see choose_device), or `split` > 1 sub-devices of a single
/// one. The first device is the primary one. Throws a usage Error for an unknown device, a repeated device, or a split
/// that the device does not support.
std::vector<DeviceInfo> choose_devices(std::span<const PlatformInfo> platforms, std::string_view spec,
                                       std::int64_t split = 1);

/// Divides `info` into sub-devices. Throws a usage Error if that is impossible.
std::vector<DeviceInfo> split_device(const DeviceInfo& info, std::int64_t parts);

/// The `devices` that are not among `others`.
std::vector<DeviceInfo> without(std::span<const DeviceInfo> devices, std::span<const DeviceInfo> others);

/// "Some GPU", "Some GPU and Some CPU", "2 of Some GPU", "2 parts of Some CPU", "a part of Some CPU"
std::string names_of(std::span<const DeviceInfo> devices);

/// "0:0,0:1", the notation of --device.
std::string list_of(std::span<const DeviceInfo> devices);

/// Opens the devices in order. Devices of one platform share a context if the driver allows it, so that they can copy
/// from each other's buffers.
std::vector<Device> open_devices(std::span<const DeviceInfo> devices);

}  // namespace orrery
