/// Worlds for tests, and their forces by plain sums on the host in double.
#pragma once

#include <cmath>

#include "base/random.hpp"
#include "scenes/particles/laws/laws.hpp"
#include "scenes/particles/model/engine.hpp"

namespace orrery::particles {

inline World empty_world(std::size_t particles) {
  World world;
  world.kinds = {{"particle", 0.5}};
  world.particles.position.resize(particles);
  world.particles.velocity.resize(particles);
  world.particles.mass.assign(particles, 1);
  world.particles.charge.assign(particles, 0);
  world.particles.kind.assign(particles, 0);
  return world;
}

/// A simple cubic lattice of that density, each particle moved by up to `disorder` of its spacing.
inline World fluid(std::size_t particles, double density, double disorder, std::uint64_t seed = 1) {
  World world = empty_world(particles);
  world.seed = seed;
  const double side = std::cbrt(static_cast<double>(particles) / density);
  world.box.lengths = Vector{side, side, side};
  const auto each = static_cast<std::size_t>(std::ceil(std::cbrt(static_cast<double>(particles)) - 1e-9));
  const double step = side / static_cast<double>(each);
  Random random(seed);
  for (std::size_t i = 0; i < particles; ++i) {
    const std::size_t cell[3] = {i % each, i / each % each, i / each / each};
    for (std::size_t k = 0; k < 3; ++k)
      world.particles.position[i][k] =
          (static_cast<double>(cell[k]) + 0.5 + random.uniform(-disorder, disorder)) * step - side / 2;
  }
  PairLaw law = ready_pair_law("lennard-jones");
  law.cutoff = std::min(2.5, side / 2);
  world.pairs = {law};
  return world;
}

inline Vector nearest(const World& world, std::size_t i, std::size_t j) {
  Vector d{};
  for (std::size_t k = 0; k < 3; ++k) {
    d[k] = world.particles.position[j][k] - world.particles.position[i][k];
    if (world.box.periodic()) d[k] -= (*world.box.lengths)[k] * std::rint(d[k] / (*world.box.lengths)[k]);
  }
  return d;
}

}  // namespace orrery::particles
