/// The orbit of a body around its primary. Plain values; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "scenes/nbody/bodies/placement.hpp"

namespace orrery {

/// The ellipse that a body would follow around another one from this moment on if these two were alone: its osculating
/// orbit. Angles in radians, against the plane z = 0; the same for a circle as for an ellipse that is nearly one. An
/// orbit in that plane has its node on the x axis. Murray and Dermott, Solar System Dynamics (1999), section 2.8.
struct Orbit {
  double semi_major = 0, eccentricity = 0, inclination = 0;
  double node = 0, pericentre_argument = 0, mean_anomaly = 0;  ///< 0 … 2 π
  double mean_motion = 0;                                      ///< radians per unit of time; above 0

  double period() const;
  double nearest() const { return semi_major * (1 - eccentricity); }
  double farthest() const { return semi_major * (1 + eccentricity); }
  /// The body's position relative to its primary, after this time.
  Vector place_after(double time) const;
  /// `count` points of the whole ellipse, evenly spaced in the eccentric anomaly, from the pericentre on.
  std::vector<Vector> ellipse(std::size_t count) const;

 private:
  Vector place_at(double eccentric_anomaly) const;
};

/// E − e sin E = M; radians, e < 1. Returns E between −π and π.
double eccentric_anomaly(double mean, double eccentricity);

/// The orbit of a body at `place` with `velocity`, both relative to its primary; `mu` is G times both masses. Nothing
/// if the body is not bound.
std::optional<Orbit> osculating(double mu, const Vector& place, const Vector& velocity);

struct Neighbour {
  std::uint32_t body = 0;
  double distance = 0;
};
struct Primary {
  std::uint32_t body = 0;
  Orbit orbit;
};
/// The nearest neighbour and the primary of a body.
struct Standing {
  std::optional<Neighbour> nearest;  ///< nothing where it is alone
  /// The body of at least the same mass around which the orbit is smallest. Nothing for an unbound body, or where
  /// softening leaves no orbit closed.
  std::optional<Primary> primary;
};
struct Attraction {
  double softening = 0, gravity = 1;  ///< ε, and G
};
Standing standing_of(const Bodies& bodies, std::uint32_t body, const Attraction& attraction);

}  // namespace orrery
