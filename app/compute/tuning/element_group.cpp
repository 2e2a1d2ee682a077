#include "compute/tuning/element_group.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/printable.hpp"
#include "compute/device/kernel_limits.hpp"
#include "compute/device/work_group.hpp"
#include "compute/tuning/tuned.hpp"

namespace orrery {

ElementGroup standard_element_group(const DeviceInfo& device) {
  return {std::clamp<std::size_t>(device.max_work_group, 1, 64), 1};
}

Range elementwise(const ElementGroup& group, std::size_t elements) {
  return {round_up(elements, group.items()), group.items()};
}

Range elementwise(const DeviceInfo& device, std::size_t elements) {
  return elementwise(standard_element_group(device), elements);
}

TuneSpace element_space(const DeviceInfo& device, int dimensions) {
  const ElementGroup standard = standard_element_group(device);
  if (dimensions == 1) return {{powers_of_two("work-group", 1, 1024, standard.width)}};
  return {{powers_of_two("width", 1, 256, standard.width), powers_of_two("height", 1, 32, standard.height)}};
}

TuneValues element_values(const TuneSpace& space, const ElementGroup& group) {
  TuneValues values{static_cast<std::int64_t>(group.width)};
  if (space.axes.size() > 1) values.push_back(static_cast<std::int64_t>(group.height));
  return values;
}

ElementGroup element_group(const TuneValues& values) {
  return {static_cast<std::size_t>(values[0]), values.size() > 1 ? static_cast<std::size_t>(values[1]) : 1};
}

ElementGroup chosen_element_group(const DeviceInfo& device, int dimensions, std::string_view kernel,
                                  const NamedTuneValues& chosen) {
  const TuneSpace space = element_space(device, dimensions);
  const ElementGroup standard = standard_element_group(device);
  if (!chosen.empty()) {
    const TuneValues values = space.overlaid(element_values(space, standard), chosen);
    const std::string refusal = work_group_refusal(element_group(values).items(), device);
    if (!refusal.empty())
      throw usage_error("--variant " + in_quotes(space.text(values)) + ": " + refusal, {}, {}, device.name);
    return element_group(values);
  }
  const auto found = tuned(device, kernel, any_elements);
  const auto values = found ? space.values(*found) : std::nullopt;
  if (!values || !work_group_refusal(element_group(*values).items(), device).empty()) return standard;
  return element_group(*values);
}

}  // namespace orrery
