/// The numbers that bodies look right with, for whoever has not given their own. Plain values; any thread.
#pragma once

#include <cstdint>

#include "scenes/nbody/bodies/body.hpp"
#include "scenes/nbody/model/settings.hpp"

namespace orrery {

struct Suggestion {
  double dt = 0;
  double softening = 0;    ///< ε in r² + ε²
  std::int64_t burst = 1;  ///< time steps between two published frames
  bool operator==(const Suggestion&) const = default;
};

/// The settings that nobody has given: the initial condition brings them.
struct Unset {
  bool dt = false, softening = false, burst = false;
};
void take(NbodySettings& settings, const Suggestion& suggestion, const Unset& unset);

/// From the bodies themselves, G = 1. Up to 32 bodies: bare gravity, and a 200th of the shortest time in which a pair
/// falls together or passes. More: ε is the mean separation of bodies inside the half-mass radius, and dt the time in
/// which a typical body crosses half of it.
Suggestion suggested_for(const Bodies& bodies);

}  // namespace orrery
