#include "scenes/nbody/bodies/suggestion.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace orrery {
namespace {

constexpr std::size_t few = 32;
constexpr double steps_of_a_passage = 200;    // time steps per passage of the closest pair
constexpr double frames_of_a_crossing = 400;  // frames per crossing time of the whole system
constexpr Suggestion without_gravity{0.01, 0.05, 1};

// 1, 2 or 5 times a power of ten, at most `value`; rounding of `value` does not count.
double rounded_down(double value) {
  value *= 1 + 1e-9;
  const double power = std::pow(10, std::floor(std::log10(value)));
  const double leading = value / power;
  return (leading >= 5 ? 5 : leading >= 2 ? 2 : 1) * power;
}

double squared(double x, double y, double z) { return x * x + y * y + z * z; }

Suggestion for_few(const Bodies& bodies, double gravity) {
  double shortest = std::numeric_limits<double>::infinity();
  double mass = 0, kinetic = 0, potential = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Body& a = bodies[i];
    mass += a.mass;
    kinetic += a.mass * squared(a.vx, a.vy, a.vz) / 2;
    for (std::size_t j = 0; j < i; ++j) {
      const Body& b = bodies[j];
      const double distance = std::sqrt(squared(a.x - b.x, a.y - b.y, a.z - b.z));
      if (!(distance > 0)) continue;
      potential -= gravity * a.mass * b.mass / distance;
      const double speed = std::sqrt(squared(a.vx - b.vx, a.vy - b.vy, a.vz - b.vz));
      if (speed > 0) shortest = std::min(shortest, distance / speed);
      if (const double pull = gravity * (a.mass + b.mass); pull > 0)
        shortest = std::min(shortest, std::sqrt(distance * distance * distance / pull));
    }
  }
  if (!std::isfinite(shortest) || !(potential < 0)) return {without_gravity.dt, 0, 1};
  // The crossing time of Heggie & Mathieu (1986), M^{5/2} / (2|E|)^{3/2}; unbound bodies count as if virialised.
  const double energy = kinetic + potential < 0 ? kinetic + potential : potential / 2;
  const double crossing = gravity * std::pow(mass, 2.5) / std::pow(-2 * energy, 1.5);
  const double dt = std::min(rounded_down(shortest / steps_of_a_passage), largest_step);
  const double burst = std::clamp(std::round(crossing / frames_of_a_crossing / dt), 1.0, 500.0);
  return {dt, 0, static_cast<std::int64_t>(burst)};
}

// About the centre of mass; the median stands for the half-mass radius, whatever the masses.
double median_radius(const Bodies& bodies, double mass) {
  double x = 0, y = 0, z = 0;
  for (const Body& b : bodies) {
    x += b.mass * b.x / mass;
    y += b.mass * b.y / mass;
    z += b.mass * b.z / mass;
  }
  std::vector<double> radii;
  radii.reserve(bodies.size());
  for (const Body& b : bodies) radii.push_back(std::sqrt(squared(b.x - x, b.y - y, b.z - z)));
  const auto middle = radii.begin() + static_cast<std::ptrdiff_t>(radii.size() / 2);
  std::nth_element(radii.begin(), middle, radii.end());
  return *middle;
}

Suggestion for_many(const Bodies& bodies, double gravity) {
  double mass = 0;
  for (const Body& b : bodies) mass += b.mass;
  const double radius = mass > 0 ? median_radius(bodies, mass) : 0;
  if (!(radius > 0) || !std::isfinite(radius)) return without_gravity;
  const double softening = radius / std::cbrt(static_cast<double>(bodies.size()));
  const double speed = std::sqrt(gravity * mass / radius);
  return {std::min(rounded_down(softening / speed / 2), largest_step),
          std::min(rounded_down(softening), largest_softening), 1};
}

}  // namespace

Suggestion suggested_for(const Bodies& bodies, double gravity, const Unset& wanted) {
  const bool by_bodies = wanted.dt || wanted.softening || (wanted.burst && bodies.size() <= few);
  if (!(gravity > 0) || !by_bodies) return without_gravity;
  return bodies.size() <= few ? for_few(bodies, gravity) : for_many(bodies, gravity);
}

Suggestion converted(const Suggestion& suggestion, double length, double time) {
  return {rounded_down(suggestion.dt * time), suggestion.softening * length, suggestion.burst};
}

}  // namespace orrery
