// Disc galaxies near equilibrium: one, and two that meet.
#include <cmath>
#include <numbers>

#include "scenes/nbody/bodies/galaxy_model.hpp"
#include "scenes/nbody/bodies/initial_makers.hpp"
#include "scenes/nbody/bodies/placement.hpp"

namespace orrery {

Bodies make_disc(const Making& making) { return GalaxyModel(making.softening).bodies(making.count, *making.random); }

// A parabolic orbit, as if each galaxy's mass were at its centre: pericentre 2, first distance 12, in the plane z = 0.
// The discs are inclined to it by 15° and 71° and turn as the orbit does, so that both grow tidal tails (Toomre &
// Toomre, Astrophys. J. 178, 623, 1972).
Bodies make_merger(const Making& making) {
  constexpr double pericentre = 2, distance = 12, degree = std::numbers::pi / 180;
  const GalaxyModel model(making.softening);
  const std::size_t first = making.count - making.count / 2;
  Bodies one = model.bodies(first, *making.random);
  Bodies two = model.bodies(making.count - first, *making.random);

  centre(one);
  centre(two);
  const double cosine = 2 * pericentre / distance - 1, sine = -std::sqrt(1 - cosine * cosine);  // of the true anomaly
  const double speed = std::sqrt(galaxy::total_mass / pericentre);  // √(GM / 2q) with the mass of two
  const Vector x{distance * cosine / 2, distance * sine / 2, 0};    // of each from the centre of mass
  const Vector v{-speed * sine / 2, speed * (1 + cosine) / 2, 0};
  place(one, {15 * degree, 30 * degree, x, v});
  place(two, {71 * degree, 120 * degree, {-x[0], -x[1], 0}, {-v[0], -v[1], 0}});
  one.insert(one.end(), two.begin(), two.end());
  return one;
}

}  // namespace orrery
