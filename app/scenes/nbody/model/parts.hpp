/// The division of a sum over all bodies. Each part is summed separately, and the parts are added in their order. The
/// division depends on the number of bodies only, so that the bits do not depend on the work-group size, on cuts
/// into launches or on the split over devices.
#pragma once

#include <algorithm>
#include <cstddef>

#include "compute/device/work_group.hpp"

namespace orrery {

struct NbodyParts {
  std::size_t bodies = 0;  ///< bodies of each part; the last ones may hold fewer or none
  std::size_t count = 0;

  /// The number of pairs of parts, including each part with itself.
  std::size_t pairs() const { return count * (count + 1) / 2; }
};

/// Parts consist of whole blocks, as the pair kernel needs them, where there are enough bodies.
constexpr NbodyParts parts_of(std::size_t bodies) {
  constexpr std::size_t most = 16, fewer = 4;                     // parts
  constexpr std::size_t huge = std::size_t{1} << 21, few = 8192;  // bodies
  constexpr std::size_t block = 512, small_block = 64;            // bodies
  const std::size_t step = bodies < few ? small_block : block;
  const std::size_t wanted = bodies > huge ? fewer : most;
  const std::size_t part = round_up(std::max<std::size_t>((bodies + wanted - 1) / wanted, 1), step);
  return {part, (bodies + part - 1) / part};
}

}  // namespace orrery
