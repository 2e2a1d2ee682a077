/// Time step, softening and burst that suit given bodies, for settings that are not given. Plain values; any thread.
#pragma once

#include <cstdint>

#include "scenes/nbody/bodies/body.hpp"

namespace orrery {

/// The largest dt: representable in every precision, and longer than times in any unit.
inline constexpr double largest_step = 1e30;
inline constexpr double largest_softening = 1e30;

struct Suggestion {
  double dt = 0;
  double softening = 0;    ///< ε in r² + ε²
  std::int64_t burst = 1;  ///< time steps between two published frames
  bool operator==(const Suggestion&) const = default;
};

/// The settings that are not given: the initial condition supplies them.
struct Unset {
  bool dt = false, softening = false, burst = false;
};

/// Computed from the bodies and G. Up to 32 bodies: no softening, and dt is a 200th of the shortest time in which a
/// pair falls together or passes. More: ε is the mean separation inside the half-mass radius, and dt the time in which
/// a typical body crosses half of it. Only `wanted` values are computed.
Suggestion suggested_for(const Bodies& bodies, double gravity = 1, const Unset& wanted = {true, true, true});
/// Converts to units that are smaller by these factors; rounds the time step down.
Suggestion converted(const Suggestion& suggestion, double length, double time);

}  // namespace orrery
