/// Bodies between two moments of their motion, without computing it.
#pragma once

#include "scenes/nbody/bodies/body.hpp"

namespace orrery {

/// The bodies at `share` of the way from one moment to another, which is `time` later. Each body's path is the cubic
/// with its places and velocities at both moments (Hermite); it is at most time⁴/384 times the largest fourth
/// derivative of the motion away from it. A body that may have covered more than three quarters of an orbit stays near
/// the straight line between its places. Both moments have the same number of bodies.
Bodies bodies_between(const Bodies& from, const Bodies& to, double time, double share);

}  // namespace orrery
