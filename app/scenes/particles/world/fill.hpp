/// The [[fill]] tables of a world file: particles on a lattice, at random, in a drop, as chains, a cloth,
/// rigid water … Plain values; any thread.
#pragma once

#include "scenes/particles/world/toml_table.hpp"

namespace orrery::particles {

/// A kind, and the mass, charge and columns of its particles.
struct KindEntry {
  Kind kind;
  double mass = 1, charge = 0;
  std::vector<std::pair<std::string, double>> columns;
};

/// Adds to the world's particles, bonds and constraints. Throws a usage Error with its place.
void fill(World& world, TomlTable table, const std::vector<KindEntry>& kinds, std::size_t index);

/// Every pair of bonds that share a particle, which comes in the middle; every chain of three bonds. Each once. Throws
/// a usage Error where there are more than most_joined.
std::vector<std::array<std::uint32_t, 3>> angles_of(const World& world);
std::vector<std::array<std::uint32_t, 4>> torsions_of(const World& world);

}  // namespace orrery::particles
