/// The shape of a reduction over bodies: some groups, each of which reduces its share.
#pragma once

#include <algorithm>
#include <bit>

#include "compute/device_info.hpp"

namespace orrery {

/// What sums are added in.
enum class Sums { doubles, two_floats };

struct Reduction {
  std::size_t group;   ///< work-items, a power of two
  std::size_t groups;  ///< by the number of bodies alone: the order of sums, and so their bits, depend on it
};

inline Reduction reduction_over(std::size_t bodies, const DeviceInfo& device) {
  constexpr std::size_t most_groups = 32;
  const std::size_t wanted = device.device_class == DeviceClass::cpu ? 16 : 128;
  const std::size_t group = std::clamp<std::size_t>(std::bit_floor(device.max_work_group), 1, wanted);
  return {group, std::clamp<std::size_t>((bodies + group - 1) / group, 1, most_groups)};
}

}  // namespace orrery
