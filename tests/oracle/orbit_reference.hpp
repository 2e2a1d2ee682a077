/// Orbits of a few bodies in double, by a method unrelated to the program's: Dormand & Prince's embedded Runge-Kutta
/// pair of orders 5 and 4 (J. Comp. Appl. Math. 6, 19, 1980), with the step size controlled by `tolerance`. No
/// softening, G = 1.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <vector>

#include "scenes/nbody/bodies/body.hpp"

namespace orrery::reference {

using Phase = std::vector<double>;  // x, y, z, vx, vy, vz of each body

inline Phase rates(const Phase& y, const Bodies& bodies) {
  Phase dy(y.size(), 0);
  for (std::size_t i = 0; i < bodies.size(); ++i)
    for (std::size_t k = 0; k < 3; ++k) dy[6 * i + k] = y[6 * i + 3 + k];
  for (std::size_t i = 0; i < bodies.size(); ++i)
    for (std::size_t j = 0; j < bodies.size(); ++j) {
      if (i == j) continue;
      const double dx = y[6 * j] - y[6 * i], dy_ = y[6 * j + 1] - y[6 * i + 1], dz = y[6 * j + 2] - y[6 * i + 2];
      const double r = std::hypot(dx, dy_, dz), pull = bodies[j].mass / (r * r * r);
      dy[6 * i + 3] += pull * dx;
      dy[6 * i + 4] += pull * dy_;
      dy[6 * i + 5] += pull * dz;
    }
  return dy;
}

/// The bodies at `time`; `seen` is called for every step on the way.
inline Bodies orbit(Bodies bodies, double time, double tolerance = 1e-13,
                    const std::function<void(double, const Bodies&)>& seen = {}) {
  constexpr std::array<std::array<double, 6>, 6> a{
      {{1. / 5},
       {3. / 40, 9. / 40},
       {44. / 45, -56. / 15, 32. / 9},
       {19372. / 6561, -25360. / 2187, 64448. / 6561, -212. / 729},
       {9017. / 3168, -355. / 33, 46732. / 5247, 49. / 176, -5103. / 18656},
       {35. / 384, 0, 500. / 1113, 125. / 192, -2187. / 6784, 11. / 84}}};
  constexpr std::array<double, 7> error{71. / 57600,      0,         -71. / 16695, 71. / 1920,
                                        -17253. / 339200, 22. / 525, -1. / 40};
  Phase y;
  for (const Body& b : bodies) y.insert(y.end(), {b.x, b.y, b.z, b.vx, b.vy, b.vz});
  double t = 0, h = 1e-4;
  while (t < time) {
    h = std::min(h, time - t);
    std::array<Phase, 7> k;
    k[0] = rates(y, bodies);
    Phase next;
    for (std::size_t stage = 0; stage < 6; ++stage) {
      next = y;
      for (std::size_t s = 0; s <= stage; ++s)
        for (std::size_t i = 0; i < y.size(); ++i) next[i] += h * a[stage][s] * k[s][i];
      k[stage + 1] = rates(next, bodies);
    }
    double worst = 0;
    for (std::size_t i = 0; i < y.size(); ++i) {
      double e = 0;
      for (std::size_t s = 0; s < 7; ++s) e += h * error[s] * k[s][i];
      worst = std::max(worst, std::abs(e) / (tolerance * (1 + std::abs(y[i]))));
    }
    if (worst <= 1) {
      t += h;
      y = next;
      for (std::size_t i = 0; i < bodies.size(); ++i)
        bodies[i] = {bodies[i].mass, y[6 * i], y[6 * i + 1], y[6 * i + 2], y[6 * i + 3], y[6 * i + 4], y[6 * i + 5]};
      if (seen) seen(t, bodies);
    }
    h *= std::clamp(0.9 * std::pow(std::max(worst, 1e-10), -0.2), 0.2, 5.0);
  }
  return bodies;
}

}  // namespace orrery::reference
