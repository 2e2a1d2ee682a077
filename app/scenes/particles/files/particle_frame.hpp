/// Particles in the form that is written for other programs. Any thread.
#pragma once

#include <cstdint>

#include "base/points/point_frame.hpp"
#include "scenes/particles/world/world.hpp"

namespace orrery::particles {

/// The columns x, y, z, vx, vy, vz, mass, charge, kind and the world's own. Borrows the numbers of the world.
PointFrame frame_of(const World& world, std::int64_t step, double time);

}  // namespace orrery::particles
