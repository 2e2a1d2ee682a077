/// The makers behind the table of initial conditions (initial.cpp). Any thread; the bodies need not be centred.
#pragma once

#include <cstddef>

#include "scenes/nbody/bodies/body.hpp"
#include "scenes/nbody/bodies/random.hpp"

namespace orrery {

/// What a maker is asked for.
struct Making {
  std::size_t count = 0;  ///< bodies; a system of a fixed number does not ask
  double softening = 0;   ///< with which it will be in equilibrium, where that matters
  double parameter = 0;   ///< the condition's own, as the table declares it
  Random* random = nullptr;
};

// initial_spheres.cpp
Bodies make_plummer(const Making& making);
Bodies make_sphere(const Making& making);
Bodies make_cube(const Making& making);

// initial_orbits.cpp
Bodies make_figure_eight(const Making& making);
Bodies make_pythagorean(const Making& making);
Bodies make_lagrange(const Making& making);
Bodies make_kepler(const Making& making);  ///< the parameter is the eccentricity
Bodies make_outer_solar_system(const Making& making);

// initial_galaxies.cpp
Bodies make_galaxies(const Making& making);

// initial_discs.cpp
Bodies make_disc(const Making& making);
Bodies make_merger(const Making& making);

}  // namespace orrery
