/// The work-groups of kernels with an item for each element, in one or two dimensions: what tuning them takes.
#pragma once

#include <memory>

#include "compute/device/device_info.hpp"
#include "compute/tuning/tune_target.hpp"

namespace orrery {

/// Work-items of a group.
struct ElementGroup {
  std::size_t width = 64, height = 1;
  bool operator==(const ElementGroup&) const = default;

  std::size_t items() const { return width * height; }
};

/// As far as the device allows.
ElementGroup standard_element_group(const DeviceInfo& device);
/// Axis work-group; in two dimensions width and height.
TuneSpace element_space(const DeviceInfo& device, int dimensions);
TuneValues element_values(const TuneSpace& space, const ElementGroup& group);
ElementGroup element_group(const TuneValues& values);
/// What was `chosen`, else what tuning has found for that kernel, else the standard one. Throws a usage Error for a
/// choice that the device cannot have.
ElementGroup chosen_element_group(const DeviceInfo& device, int dimensions, std::string_view kernel,
                                  const NamedTuneValues& chosen);
/// Of their class of problems: whatever their number is.
inline constexpr std::string_view any_elements = "any number";

}  // namespace orrery
