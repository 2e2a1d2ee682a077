/// What is faster than a kernel's own default on common kinds of devices, as the program ships it (assets/tuning.toml):
/// for those who have tuned nothing yet. Plain values; any thread.
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

/// The first that fits counts. Throws a usage Error with file and line.
std::vector<ShippedChoice> read_shipped_choices(const std::filesystem::path& path);

}  // namespace orrery
