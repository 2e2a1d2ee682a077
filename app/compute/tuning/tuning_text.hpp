/// The texts of tuning files: sweeps (tuning_store.hpp), ceilings (ceilings_store.hpp) and shipped choices
/// (shipped_choices.hpp). Plain values; any thread. Unreadable text throws a usage Error with line and column.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "compute/measure/ceilings_store.hpp"
#include "compute/tuning/shipped_choices.hpp"
#include "compute/tuning/tuning_store.hpp"

namespace orrery {

std::vector<StoredSweep> parse_sweeps(const std::string& text);
std::string sweeps_text(std::span<const StoredSweep> sweeps);

/// The ceilings of this device, if the text has them.
std::optional<Ceilings> parse_ceilings(const std::string& text, const DeviceInfo& device);

/// `file` stands for the text in messages.
std::vector<ShippedChoice> parse_shipped_choices(const std::string& text, const std::string& file);

}  // namespace orrery
