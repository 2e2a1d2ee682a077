/// The potential energy of a field against sums over all other bodies, in double on the host, for some of the bodies:
/// it tells how exact the energy by a tree is. Plain values; any thread.
#pragma once

#include <cstddef>
#include <span>

#include "scenes/nbody/bodies/body.hpp"

namespace orrery {

struct PotentialCheck {
  std::size_t bodies = 0;  ///< that were summed again
  double error = 0;        ///< of the potential energy, relative; negative: too shallow
  double deviation = 0;    ///< standard deviation of this error, because only some bodies were summed; 0 where all were
};

/// `potentials`: of each body, as the field has it. At most 64 bodies of many, or all of up to 256; takes a nanosecond
/// or two for each pair, on all cores.
PotentialCheck check_potential(const Bodies& bodies, std::span<const double> potentials, double softening);

}  // namespace orrery
