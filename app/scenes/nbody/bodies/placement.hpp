/// Position, orientation and motion of a body or of a whole galaxy. Plain values; any thread.
#pragma once

#include <array>
#include <span>

#include "scenes/nbody/bodies/body.hpp"

namespace orrery {

using Vector = std::array<double, 3>;

inline Body body_at(double mass, const Vector& x, const Vector& v) {
  return {mass, x[0], x[1], x[2], v[0], v[1], v[2]};
}

/// Rotates by the inclination about the x axis, then by the node about the z axis; radians.
Vector turned(const Vector& v, double inclination, double node);

struct Placement {
  double inclination = 0, node = 0;
  Vector position{}, velocity{};
};

/// Rotates the bodies about the origin, then moves them.
void place(std::span<Body> bodies, const Placement& at);

/// Factors for the values of all bodies.
struct BodyScale {
  double mass = 1, length = 1, speed = 1;
};
void scale(std::span<Body> bodies, const BodyScale& by);

/// Moves the bodies so that their centre of mass rests at the origin.
void centre(std::span<Body> bodies);

}  // namespace orrery
