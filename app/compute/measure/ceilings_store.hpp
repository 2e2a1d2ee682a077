/// Measured ceilings on disk, one entry for each platform, device and driver, in a file that people can read.
#pragma once

#include <filesystem>
#include <optional>

#include "compute/device/device_info.hpp"
#include "compute/measure/roofline.hpp"

namespace orrery {

/// $XDG_STATE_HOME/orrery/ceilings.toml; empty where nothing can be kept.
std::filesystem::path ceilings_path();
/// Nothing where the device or this driver of it has not been measured, or the file cannot be used.
std::optional<Ceilings> kept_ceilings(const std::filesystem::path& path, const DeviceInfo& device);
/// Replaces the entry; the others stay. Written beside and renamed; throws Error when that fails.
void keep_ceilings(const std::filesystem::path& path, const DeviceInfo& device, const Ceilings& ceilings);

}  // namespace orrery
