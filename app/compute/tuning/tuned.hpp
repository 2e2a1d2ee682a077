/// The choices of "auto": those that the user has tuned, else those shipped with the program. Loaded once, looked up
/// without file access.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compute/program/kernel_sources.hpp"
#include "compute/tuning/tuning_store.hpp"

namespace orrery {

/// A fast variant for a common kind of device, for users who have not tuned (assets/tuning.toml). A plain value.
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
/// `file` stands for the text in messages.
std::vector<ShippedChoice> parse_shipped_choices(const std::string& text, const std::string& file);

/// The choices of a store for the present kernel sources. A value.
class TunedChoices {
 public:
  TunedChoices(const TuningStore& store, const KernelSources& sources);
  /// The choice by device, driver, kernel and problem class; nothing for a part of a device.
  std::optional<NamedTuneValues> find(const DeviceInfo& device, std::string_view kernel,
                                      std::string_view problem) const;

 private:
  std::vector<StoredSweep> sweeps_;
};

/// Sets the choices of tuned(). Called at the start of the program and after tuning only, so that tests do not depend
/// on the user's files. Any thread.
void use_tuned(std::shared_ptr<const TunedChoices> choices);
/// Sets the fallback choices.
void use_shipped(std::shared_ptr<const std::vector<ShippedChoice>> choices);
/// The choices of the user's store, or null. Never throws, because everything works untuned. Reads a
/// file.
std::shared_ptr<const TunedChoices> stored_choices(const KernelSources& sources);
/// Calls use_shipped() and use_tuned() with the program's and the user's choices for the sources in use. Never throws.
void use_stored_choices();
/// Any thread.
std::optional<NamedTuneValues> tuned(const DeviceInfo& device, std::string_view kernel, std::string_view problem);

}  // namespace orrery
