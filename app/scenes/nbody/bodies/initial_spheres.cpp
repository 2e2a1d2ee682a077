// Spheres and boxes of bodies of equal mass with a total of 1.
#include <cmath>
#include <numbers>

#include "scenes/nbody/bodies/initial_makers.hpp"
#include "scenes/nbody/bodies/placement.hpp"

namespace orrery {
namespace {

// q = v / v_escape, distributed as q²(1 − q²)^{7/2}, by rejection.
double plummer_speed(Random& random) {
  for (;;) {
    const double q = random.uniform();
    if (0.1 * random.uniform() < q * q * std::pow(1 - q * q, 3.5)) return q;
  }
}

}  // namespace

// Aarseth, Hénon & Wielen, Astron. Astrophys. 37, 183 (1974), in Hénon units: energy −1/4, so that the scale radius is
// 3π/16.
Bodies make_plummer(const Making& making) {
  constexpr double scale = 3 * std::numbers::pi / 16;
  Bodies bodies;
  bodies.reserve(making.count);
  for (std::size_t i = 0; i < making.count; ++i) {
    const double radius = 1 / std::sqrt(std::pow(making.random->uniform(), -2. / 3) - 1);
    const double escape = std::numbers::sqrt2 * std::pow(1 + radius * radius, -0.25);
    const double speed = plummer_speed(*making.random) * escape / std::sqrt(scale);
    const Vector x = making.random->on_sphere(radius * scale), v = making.random->on_sphere(speed);
    bodies.push_back(body_at(1 / static_cast<double>(making.count), x, v));
  }
  return bodies;
}

// Radius 1, at rest: it collapses at t = π/√8, when all shells of a uniform sphere arrive at once.
Bodies make_sphere(const Making& making) {
  Bodies bodies;
  bodies.reserve(making.count);
  for (std::size_t i = 0; i < making.count; ++i) {
    const double radius = std::cbrt(making.random->uniform());
    bodies.push_back(body_at(1 / static_cast<double>(making.count), making.random->on_sphere(radius), {}));
  }
  return bodies;
}

// Edge 2, at rest.
Bodies make_cube(const Making& making) {
  Bodies bodies;
  bodies.reserve(making.count);
  const auto edge = [&] { return making.random->uniform(-1, 1); };
  for (std::size_t i = 0; i < making.count; ++i) {
    const Vector x{edge(), edge(), edge()};
    bodies.push_back(body_at(1 / static_cast<double>(making.count), x, {}));
  }
  return bodies;
}

}  // namespace orrery
