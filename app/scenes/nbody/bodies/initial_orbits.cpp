// Systems of a few bodies whose motion is known: periodic orbits, a famous close encounter, the outer planets.
#include <array>
#include <cmath>
#include <numbers>

#include "scenes/nbody/bodies/initial_makers.hpp"
#include "scenes/nbody/bodies/placement.hpp"

namespace orrery {

// Chenciner & Montgomery, Ann. Math. 152, 881 (2000), with the digits of C. Simó. Period 6.32591398.
Bodies make_figure_eight(const Making&) {
  constexpr double x = 0.97000435669734, y = -0.24308753153583, vx = -0.93240737144104, vy = -0.86473146092102;
  return {{1, x, y, 0, -vx / 2, -vy / 2, 0}, {1, -x, -y, 0, -vx / 2, -vy / 2, 0}, {1, 0, 0, 0, vx, vy, 0}};
}

// Burrau, Astron. Nachr. 195, 113 (1913); Szebehely & Peters, Astron. J. 72, 876 (1967): each mass at rest opposite the
// side of its length, the centre of mass at the origin.
Bodies make_pythagorean(const Making&) {
  return {{3, 1, 3, 0, 0, 0, 0}, {4, -2, -1, 0, 0, 0, 0}, {5, 1, -1, 0, 0, 0, 0}};
}

// Lagrange (1772): an equilateral triangle that turns rigidly. Side 1 and mass 1 give an angular velocity of 1.
Bodies make_lagrange(const Making&) {
  const double radius = 1 / std::numbers::sqrt3;
  Bodies bodies;
  for (int k = 0; k < 3; ++k) {
    const double angle = std::numbers::pi * (0.5 + 2. / 3 * k);
    const double x = radius * std::cos(angle), y = radius * std::sin(angle);
    bodies.push_back({1. / 3, x, y, 0, -y, x, 0});
  }
  return bodies;
}

// Semi-major axis 1, at pericentre. Period 2π.
Bodies make_kepler(const Making& making) {
  const double e = making.parameter;
  const double x = (1 - e) / 2, v = std::sqrt((1 + e) / (1 - e)) / 2;
  return {{0.5, x, 0, 0, 0, v, 0}, {0.5, -x, 0, 0, 0, -v, 0}};
}

// Hairer, Lubich & Wanner, Geometric Numerical Integration, I.2.4: heliocentric, on 5 September 1994 at 0h, in
// astronomical units and days along the Earth's equator; the Sun's mass includes the inner planets. The plane z = 0
// here is the ecliptic.
Bodies make_outer_solar_system(const Making&) {
  constexpr double gauss = 0.01720209895;                            // √G in days
  constexpr double obliquity = 23.4392911 * std::numbers::pi / 180;  // of the ecliptic, J2000
  constexpr std::array<Body, 6> heliocentric{{
      {1.00000597682, 0, 0, 0, 0, 0, 0},
      {0.000954786104043, -3.5023653, -3.8169847, -1.5507963, 0.00565429, -0.00412490, -0.00190589},   // Jupiter
      {0.000285583733151, 9.0755314, -3.0458353, -1.6483708, 0.00168318, 0.00483525, 0.00192462},      // Saturn
      {0.0000437273164546, 8.3101420, -16.2901086, -7.2521278, 0.00354178, 0.00137102, 0.00055029},    // Uranus
      {0.0000517759138449, 11.4707666, -25.7294829, -10.8169456, 0.00288930, 0.00114527, 0.00039677},  // Neptune
      {1 / 1.3e8, -15.5387357, -25.2225594, -3.1902382, 0.00276725, -0.00170702, -0.00136504},         // Pluto
  }};
  Bodies bodies;
  for (const Body& b : heliocentric) {
    const Vector v{b.vx / gauss, b.vy / gauss, b.vz / gauss};
    bodies.push_back(body_at(b.mass, turned({b.x, b.y, b.z}, -obliquity, 0), turned(v, -obliquity, 0)));
  }
  return bodies;
}

}  // namespace orrery
