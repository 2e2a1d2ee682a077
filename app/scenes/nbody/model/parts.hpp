/// How a sum over all bodies is divided. Each part is summed for itself, and the parts are added in their order: the
/// division follows from the number of bodies alone, so that the same bits come out for any work-group size, any cut
/// into launches and any split over devices.
#pragma once

#include <algorithm>
#include <cstddef>

#include "compute/device/work_group.hpp"

namespace orrery {

struct NbodyParts {
  std::size_t bodies = 0;  ///< of each part but the last ones, which may hold fewer or none
  std::size_t count = 0;

  /// How many pairs of parts there are, a part with itself among them.
  std::size_t pairs() const { return count * (count + 1) / 2; }
};

/// Whole blocks of bodies, as the pair kernel deals them, where there are enough for it.
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
