/// What "auto" takes where a sweep has found something better: loaded once, looked up without touching a file.
#pragma once

#include <memory>
#include <optional>

#include "compute/program/kernel_sources.hpp"
#include "compute/tuning/shipped_choices.hpp"
#include "compute/tuning/tuning_store.hpp"

namespace orrery {

/// The choices of a store that are of the kernel sources as they are. A value.
class TunedChoices {
 public:
  TunedChoices(const TuningStore& store, const KernelSources& sources);
  /// By device, driver, kernel and class of problems; nothing for a part of a device.
  std::optional<NamedTuneValues> find(const DeviceInfo& device, std::string_view kernel,
                                      std::string_view problem) const;

 private:
  std::vector<StoredSweep> sweeps_;
};

/// From now on tuned() knows these: the composition root says so, before it does anything else, and whoever has tuned.
/// Nobody else, so that tests depend on no file of the user's. Any thread.
void use_tuned(std::shared_ptr<const TunedChoices> choices);
/// What tuned() knows where those have nothing.
void use_shipped(std::shared_ptr<const std::vector<ShippedChoice>> choices);
/// The choices of the user's own store, where there is one: null where there is none. Never throws: without them,
/// everything works untuned. Reads a file.
std::shared_ptr<const TunedChoices> stored_choices(const KernelSources& sources);
/// use_shipped() with the program's own, and use_tuned() with the user's, of the sources in use. Never throws.
void use_stored_choices();
/// Any thread.
std::optional<NamedTuneValues> tuned(const DeviceInfo& device, std::string_view kernel, std::string_view problem);

}  // namespace orrery
