/// Work-groups of elementwise kernels, in one or two dimensions, and their tuning.
#pragma once

#include "compute/queue/queue.hpp"
#include "compute/tuning/tune_target.hpp"

namespace orrery {

/// Work-items of a group.
struct ElementGroup {
  std::size_t width = 64, height = 1;
  bool operator==(const ElementGroup&) const = default;

  std::size_t items() const { return width * height; }
};

/// Limited by the device.
ElementGroup standard_element_group(const DeviceInfo& device);
/// The range of a kernel with one work-item per element.
Range elementwise(const ElementGroup& group, std::size_t elements);
Range elementwise(const DeviceInfo& device, std::size_t elements);
/// The axis work-group; in two dimensions width and height.
TuneSpace element_space(const DeviceInfo& device, int dimensions);
TuneValues element_values(const TuneSpace& space, const ElementGroup& group);
ElementGroup element_group(const TuneValues& values);
/// The `chosen` size, else the tuned size, else the standard one. Throws a usage Error for a choice that the device
/// does not support.
ElementGroup chosen_element_group(const DeviceInfo& device, int dimensions, std::string_view kernel,
                                  const NamedTuneValues& chosen);
/// Problem class of elementwise kernels; their speed does not depend on the number of elements.
inline constexpr std::string_view any_elements = "any number";

}  // namespace orrery
