/// Bodies on the host, in double precision whatever the device computes in. Plain values.
#pragma once

#include <cstddef>
#include <vector>

namespace orrery {

struct Body {
  double mass = 0;
  double x = 0, y = 0, z = 0;
  double vx = 0, vy = 0, vz = 0;
  bool operator==(const Body&) const = default;
};
using Bodies = std::vector<Body>;

/// Most bodies of a set, requested or read from a file. Indices have 26 bits where they share a word
/// (shaders/nbody/pick.comp).
inline constexpr std::size_t most_in_a_set = std::size_t{1} << 26;

/// True for a body that has merged into another one, so that only its index is left: kernels/nbody/nbody_gone.clh.
bool is_gone(const Body& body);

/// True for a body that has mass, or had mass until it merged; all others are test particles.
bool pulls(const Body& body);
/// The number of bodies up to the last one that pulls, at least 1.
std::size_t sources_of(const Bodies& bodies);

/// The radius around the origin that holds nine tenths of the bodies; above 0.
double extent_of(const Bodies& bodies);

}  // namespace orrery
