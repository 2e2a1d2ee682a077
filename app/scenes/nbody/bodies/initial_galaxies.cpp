// Two galaxies made for display: discs that begin with spiral arms, shortly before they meet.
#include <cmath>
#include <numbers>

#include "scenes/nbody/bodies/initial_makers.hpp"
#include "scenes/nbody/bodies/placement.hpp"

namespace orrery {
namespace {

struct Galaxy {
  double nucleus = 0.2;  // mass of the single body in the middle
  double bulge = 0.25;   // mass of a round bulge …
  double bulge_scale = 0.15;
  double bulge_share = 0.2;  // … and its share of the bodies
  double disc = 0.55;        // mass of an exponential disc …
  double scale = 0.36;       // … its scale length …
  double radius = 1.5;       // … where it is cut off …
  double thickness = 0.02;   // … and its standard deviation across
  double dispersion = 0.05;  // of the velocities, relative to the circular velocity
  double arms = 0.32;        // how far the two spiral arms have drawn bodies together, in radians
};

// The radius that contains this share of an exponential disc, M(r) ∝ 1 − (1 + r/h)·exp(−r/h), by bisection.
double disc_radius(double share, const Galaxy& galaxy) {
  const auto inside = [&](double r) { return 1 - (1 + r / galaxy.scale) * std::exp(-r / galaxy.scale); };
  const double wanted = share * inside(galaxy.radius);
  double low = 0, high = galaxy.radius;
  for (int k = 0; k < 48; ++k) {
    const double middle = (low + high) / 2;
    (inside(middle) < wanted ? low : high) = middle;
  }
  return (low + high) / 2;
}

// Speed of a circular orbit, as if all mass were spherical: accurate enough for a start that changes anyway.
double circular_speed(double r, double disc_share, const Galaxy& galaxy, double softening) {
  const double s = r / galaxy.bulge_scale;
  const double inside = galaxy.nucleus + galaxy.bulge * s * s * s / std::pow(1 + s * s, 1.5) + galaxy.disc * disc_share;
  return r * std::sqrt(inside / std::pow(r * r + softening * softening, 1.5));
}

// Two trailing logarithmic arms with a pitch of about twenty degrees.
double drawn_to_arms(double angle, double r, const Galaxy& galaxy) {
  const double phase = 2 * (angle + 2.7 * std::log(r / galaxy.scale + 0.1));
  return angle - galaxy.arms * std::sin(phase);
}

void add_disc(Bodies& bodies, std::size_t count, const Galaxy& galaxy, double softening, Random& random) {
  const double each = galaxy.disc / static_cast<double>(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double share = (static_cast<double>(i) + random.uniform()) / static_cast<double>(count);
    const double r = disc_radius(share, galaxy);
    const double angle = drawn_to_arms(2 * std::numbers::pi * random.uniform(), r, galaxy);
    const double circular = circular_speed(r, share, galaxy, softening);
    const double spread = galaxy.dispersion * circular;
    const double out = spread * random.normal(), around = circular + spread * random.normal();
    const double c = std::cos(angle), s = std::sin(angle);
    const double height = galaxy.thickness * random.normal();
    bodies.push_back(body_at(each, {r * c, r * s, height},
                             {out * c - around * s, out * s + around * c, 0.3 * spread * random.normal()}));
  }
}

// Positions of a Plummer sphere; speeds in random directions below the circular speed: every body stays bound.
void add_bulge(Bodies& bodies, std::size_t count, const Galaxy& galaxy, double softening, Random& random) {
  for (std::size_t i = 0; i < count; ++i) {
    const double share = 0.95 * random.uniform();
    const double r = galaxy.bulge_scale / std::sqrt(std::pow(share, -2. / 3) - 1);
    const double speed = random.uniform(0.6, 1) * circular_speed(r, 0, galaxy, softening);
    bodies.push_back(body_at(galaxy.bulge / static_cast<double>(count), random.on_sphere(r), random.on_sphere(speed)));
  }
}

// In the plane z = 0, turning anticlockwise.
Bodies galaxy_of(std::size_t count, const Galaxy& galaxy, double softening, Random& random) {
  Bodies bodies{{galaxy.nucleus, 0, 0, 0, 0, 0, 0}};
  const auto in_bulge = static_cast<std::size_t>(galaxy.bulge_share * static_cast<double>(count));
  if (in_bulge > 0) add_bulge(bodies, in_bulge, galaxy, softening, random);
  if (count > 1 + in_bulge) add_disc(bodies, count - 1 - in_bulge, galaxy, softening, random);
  return bodies;
}

}  // namespace

// Toomre & Toomre, Astrophys. J. 178, 623 (1972): two discs on a parabolic orbit draw out tails.
Bodies make_galaxies(const Making& making) {
  const std::size_t first = making.count - making.count / 2;
  Bodies one = galaxy_of(first, {}, making.softening, *making.random);
  Bodies two = making.count > first ? galaxy_of(making.count - first, {}, making.softening, *making.random) : Bodies{};
  constexpr double separation = 2.6, impact = 0.8, total_mass = 2;
  const double distance = std::hypot(separation, impact);
  const double speed = 0.9 * std::sqrt(2 * total_mass / distance) / 2;  // each; a little less than parabolic
  place(one, {0.35, 0.4, {-separation / 2, -impact / 2, 0}, {speed, 0, 0}});
  place(two, {-0.9, 1.2, {separation / 2, impact / 2, 0}, {-speed, 0, 0}});
  one.insert(one.end(), two.begin(), two.end());
  return one;
}

}  // namespace orrery
