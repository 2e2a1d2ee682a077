/// Fast variants for common kinds of devices, shipped with the program (assets/tuning.toml) for users who have not
/// tuned. Plain values; any thread.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "compute/device/device_info.hpp"
#include "compute/tuning/tune_space.hpp"

namespace orrery {

struct ShippedChoice {
  std::string vendor;  ///< a part of the device's vendor or name
  DeviceClass device_class = DeviceClass::gpu;
  std::string kernel;   ///< see TuneSubject
  std::string problem;  ///< empty: any
  NamedTuneValues values;

  bool fits(const DeviceInfo& device, std::string_view of_kernel, std::string_view of_problem) const;
};

/// The first matching choice counts. Throws a usage Error with file and line.
std::vector<ShippedChoice> read_shipped_choices(const std::filesystem::path& path);

}  // namespace orrery
