/// The makers behind the table of initial conditions (initial.cpp). Any thread; the bodies are not centred yet.
#pragma once

#include <cstddef>
#include <string_view>

#include "scenes/nbody/bodies/body_draw.hpp"

namespace orrery {

/// The arguments of a maker.
struct Making {
  std::size_t count = 0;  ///< number of bodies; a system of a fixed number ignores it
  double softening = 0;   ///< the softening for which the bodies are in equilibrium, where it matters
  double parameter = 0;   ///< the condition's own, as the table declares it
  BodyDraw* draw = nullptr;
  std::string_view date = {};  ///< date of a sky
};

// Spheres and boxes of bodies of equal mass with a total of 1.
Bodies make_plummer(const Making& making);
Bodies make_sphere(const Making& making);
Bodies make_cube(const Making& making);

// A planet, and a ring of light bodies on circles around it.
Bodies make_ring(const Making& making);

// Systems of a few bodies whose motion is known: periodic orbits, a famous close encounter, the outer planets.
Bodies make_figure_eight(const Making& making);
Bodies make_pythagorean(const Making& making);
Bodies make_lagrange(const Making& making);
Bodies make_kepler(const Making& making);  ///< the parameter is the eccentricity
Bodies make_outer_solar_system(const Making& making);

// The sky on the date, and its planets with test particles between Mars and Jupiter.
Bodies make_solar_system(const Making& making);
Bodies make_asteroid_belt(const Making& making);

// Disc galaxies near equilibrium: one, and two that meet.
Bodies make_disc(const Making& making);
Bodies make_merger(const Making& making);

/// The number of bodies of the first of two galaxies.
constexpr std::size_t first_half(std::size_t count) { return count - count / 2; }

// Two galaxies made for display: discs that begin with spiral arms, shortly before they meet.
Bodies make_galaxies(const Making& making);

}  // namespace orrery
