/// Measured ceilings on disk, one entry per platform, device and driver, in a readable file.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "compute/device/device_info.hpp"
#include "compute/measure/roofline.hpp"

namespace orrery {

/// $XDG_STATE_HOME/orrery/ceilings.toml; empty if there is no such folder.
std::filesystem::path ceilings_path();
/// Nothing if the device was not measured with this driver, or the file cannot be used.
std::optional<Ceilings> kept_ceilings(const std::filesystem::path& path, const DeviceInfo& device);
/// The ceilings of this device, if the text of a file has them. Throws a usage Error with line and column.
std::optional<Ceilings> parse_ceilings(const std::string& text, const DeviceInfo& device);
/// Replaces the entry; the others stay. Written atomically; throws Error.
void keep_ceilings(const std::filesystem::path& path, const DeviceInfo& device, const Ceilings& ceilings);

}  // namespace orrery
