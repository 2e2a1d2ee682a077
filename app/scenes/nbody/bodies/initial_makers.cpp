#include "scenes/nbody/bodies/initial_makers.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <span>

#include "scenes/nbody/bodies/galaxy_model.hpp"
#include "scenes/nbody/bodies/placement.hpp"
#include "scenes/nbody/bodies/sky.hpp"

namespace orrery {
namespace {

Bodies with_room(const Making& making) {
  Bodies bodies;
  bodies.reserve(making.count);
  return bodies;
}

template <class One>
Bodies drawn(const Making& making, const One& one) {
  Bodies bodies = with_room(making);
  making.draw->append(bodies, making.count, one);
  return bodies;
}

// Two galaxies of one vector, the first of which has `first` bodies.
struct Halves {
  std::span<Body> one, two;
  Halves(Bodies& bodies, std::size_t first)
      : one(std::span(bodies).first(first)), two(std::span(bodies).subspan(first)) {}
};

// q = v / v_escape, distributed as q²(1 − q²)^{7/2}, by rejection.
template <class Numbers>
double plummer_speed(Numbers& random) {
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
  return drawn(making, [&](auto& random, std::size_t) {
    const double radius = 1 / std::sqrt(std::pow(random.uniform(), -2. / 3) - 1);
    const double escape = std::numbers::sqrt2 * std::pow(1 + radius * radius, -0.25);
    const double speed = plummer_speed(random) * escape / std::sqrt(scale);
    const Vector x = random.on_sphere(radius * scale), v = random.on_sphere(speed);
    return body_at(1 / static_cast<double>(making.count), x, v);
  });
}

// Radius 1, at rest: it collapses at t = π/√8, when all shells of a uniform sphere arrive at once.
Bodies make_sphere(const Making& making) {
  return drawn(making, [&](auto& random, std::size_t) {
    const double radius = std::cbrt(random.uniform());
    return body_at(1 / static_cast<double>(making.count), random.on_sphere(radius), {});
  });
}

// The planet has mass 1, the ring a thousandth of it, and as many bodies per area everywhere. Each moves on a circle in
// the planet's softened field, in a plane that is inclined a little.
Bodies make_ring(const Making& making) {
  constexpr double inner = 1.2, outer = 2.4, mass_of_ring = 1e-3, thickness = 0.004;
  Bodies bodies{body_at(1, {}, {})};
  bodies.reserve(making.count);
  const double mass = mass_of_ring / static_cast<double>(making.count);
  making.draw->append(bodies, making.count - 1, [&](auto& random, std::size_t) {
    const double radius = std::sqrt(random.uniform(inner * inner, outer * outer));
    const double angle = random.uniform(0, 2 * std::numbers::pi);
    const double speed = radius / std::pow(radius * radius + making.softening * making.softening, 0.75);
    const double inclination = thickness * random.normal(), node = random.uniform(0, 2 * std::numbers::pi);
    const Vector x{radius * std::cos(angle), radius * std::sin(angle), 0};
    const Vector v{-speed * std::sin(angle), speed * std::cos(angle), 0};
    return body_at(mass, turned(x, inclination, node), turned(v, inclination, node));
  });
  return bodies;
}

// Edge 2, at rest.
Bodies make_cube(const Making& making) {
  return drawn(making, [&](auto& random, std::size_t) {
    const auto edge = [&] { return random.uniform(-1, 1); };
    const Vector x{edge(), edge(), edge()};
    return body_at(1 / static_cast<double>(making.count), x, {});
  });
}

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

Bodies make_solar_system(const Making& making) { return solar_system(making.date); }

// Semi-major axes are uniform, eccentricities and inclinations about as those of the asteroids (Rayleigh, 0.1 and 5°).
// Massive bodies come first, so that the particles cost nothing as sources.
Bodies make_asteroid_belt(const Making& making) {
  constexpr double inner = 2, outer = 3.6, eccentricity = 0.1, inclination = 5 * std::numbers::pi / 180;
  Bodies bodies = planets(making.date);
  const Body sun = bodies.front();
  if (making.count <= bodies.size()) {
    bodies.resize(making.count);
    return bodies;
  }
  const std::size_t particles = making.count - bodies.size();
  bodies.reserve(making.count);
  making.draw->append(bodies, particles, [&](auto& random, std::size_t) {
    const double a = random.uniform(inner, outer), turn = 2 * std::numbers::pi;
    const double e = std::min(eccentricity * std::hypot(random.normal(), random.normal()), 0.5);
    const double tilt = inclination * std::hypot(random.normal(), random.normal());
    const double pericentre = turn * random.uniform(), node = turn * random.uniform();
    const double anomaly = turn * random.uniform();  // the eccentric one
    const double flat = std::sqrt(1 - e * e), speed = std::sqrt(sun.mass / a) / (1 - e * std::cos(anomaly));
    const auto placed = [&](double x, double y) { return turned(turned({x, y, 0}, 0, pericentre), tilt, node); };
    const Vector x = placed(a * (std::cos(anomaly) - e), a * flat * std::sin(anomaly));
    const Vector v = placed(-speed * std::sin(anomaly), speed * flat * std::cos(anomaly));
    return body_at(0, {sun.x + x[0], sun.y + x[1], sun.z + x[2]}, {sun.vx + v[0], sun.vy + v[1], sun.vz + v[2]});
  });
  return bodies;
}

Bodies make_disc(const Making& making) {
  Bodies bodies = with_room(making);
  GalaxyModel(making.softening).append(bodies, making.count, *making.draw);
  return bodies;
}

// A parabolic orbit, as if each galaxy's mass were at its centre: pericentre 2, first distance 12, in the plane z = 0.
// The discs are inclined to it by 15° and 71° and turn as the orbit does, so that both grow tidal tails (Toomre &
// Toomre, Astrophys. J. 178, 623, 1972).
Bodies make_merger(const Making& making) {
  constexpr double pericentre = 2, distance = 12, degree = std::numbers::pi / 180;
  const GalaxyModel model(making.softening);
  const std::size_t first = first_half(making.count);
  Bodies bodies = with_room(making);
  model.append(bodies, first, *making.draw);
  model.append(bodies, making.count - first, *making.draw);

  const Halves halves(bodies, first);
  centre(halves.one);
  centre(halves.two);
  const double cosine = 2 * pericentre / distance - 1, sine = -std::sqrt(1 - cosine * cosine);  // … of the true anomaly
  const double speed = std::sqrt(galaxy::total_mass / pericentre);  // √(GM / 2q) with the mass of two
  const Vector x{distance * cosine / 2, distance * sine / 2, 0};    // of one galaxy from the centre of mass
  const Vector v{-speed * sine / 2, speed * (1 + cosine) / 2, 0};
  place(halves.one, {15 * degree, 30 * degree, x, v});
  place(halves.two, {71 * degree, 120 * degree, {-x[0], -x[1], 0}, {-v[0], -v[1], 0}});
  return bodies;
}

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
  double dispersion = 0.05;  // dispersion relative to the circular velocity
  double arms = 0.32;        // how far the two spiral arms have drawn bodies together, in radians
};

// The share of an exponential disc within the radius, M(r) ∝ 1 − (1 + r/h)·exp(−r/h).
double disc_inside(double r, const Galaxy& galaxy) { return 1 - (1 + r / galaxy.scale) * std::exp(-r / galaxy.scale); }

// The radius that contains this share, by bisection.
double disc_radius(double share, const Galaxy& galaxy) {
  const auto inside = [&](double r) { return disc_inside(r, galaxy); };
  const double wanted = share * inside(galaxy.radius);
  double low = 0, high = galaxy.radius;
  for (int k = 0; k < 48; ++k) {
    const double middle = (low + high) / 2;
    (inside(middle) < wanted ? low : high) = middle;
  }
  return (low + high) / 2;
}

// Ten times as fast as disc_radius(), with different last bits: t − ln(1 + t) = L with t = r/h and L = −ln(1 − M), by
// the expansion of the root in √(2L) and two of Newton's steps. A disc ends where L is 2.5: there and below, both reach
// rounding.
double disc_radius_by_newton(double share, const Galaxy& galaxy) {
  const double logarithm = -std::log1p(-share * disc_inside(galaxy.radius, galaxy));
  const double s = std::sqrt(2 * logarithm);
  double t = s * (1 + s * (1. / 3 + s * (1. / 36 - s / 270)));
  for (int k = 0; k < 2; ++k) t -= (t - std::log1p(t) - logarithm) * (1 + t) / t;
  return t * galaxy.scale;
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

void add_disc(Bodies& bodies, std::size_t count, const Galaxy& galaxy, double softening, BodyDraw& draw) {
  const double each = galaxy.disc / static_cast<double>(count);
  const auto radius_of = draw.draws() == Draws::in_sequence ? disc_radius : disc_radius_by_newton;
  draw.append(bodies, count, [&](auto& random, std::size_t i) {
    const double share = (static_cast<double>(i) + random.uniform()) / static_cast<double>(count);
    const double r = radius_of(share, galaxy);
    const double angle = drawn_to_arms(2 * std::numbers::pi * random.uniform(), r, galaxy);
    const double circular = circular_speed(r, share, galaxy, softening);
    const double spread = galaxy.dispersion * circular;
    const double out = spread * random.normal(), around = circular + spread * random.normal();
    const double c = std::cos(angle), s = std::sin(angle);
    const double height = galaxy.thickness * random.normal();
    return body_at(each, {r * c, r * s, height},
                   {out * c - around * s, out * s + around * c, 0.3 * spread * random.normal()});
  });
}

// Positions of a Plummer sphere; speeds in random directions below the circular speed: every body stays bound.
void add_bulge(Bodies& bodies, std::size_t count, const Galaxy& galaxy, double softening, BodyDraw& draw) {
  draw.append(bodies, count, [&](auto& random, std::size_t) {
    const double share = 0.95 * random.uniform();
    const double r = galaxy.bulge_scale / std::sqrt(std::pow(share, -2. / 3) - 1);
    const double speed = random.uniform(0.6, 1) * circular_speed(r, 0, galaxy, softening);
    const Vector v = random.on_sphere(speed), x = random.on_sphere(r);
    return body_at(galaxy.bulge / static_cast<double>(count), x, v);
  });
}

// Adds a galaxy in the plane z = 0 that turns anticlockwise.
void add_galaxy(Bodies& bodies, std::size_t count, const Galaxy& galaxy, double softening, BodyDraw& draw) {
  if (count == 0) return;
  bodies.push_back({galaxy.nucleus, 0, 0, 0, 0, 0, 0});
  const auto in_bulge = static_cast<std::size_t>(galaxy.bulge_share * static_cast<double>(count));
  if (in_bulge > 0) add_bulge(bodies, in_bulge, galaxy, softening, draw);
  if (count > 1 + in_bulge) add_disc(bodies, count - 1 - in_bulge, galaxy, softening, draw);
}

}  // namespace

// Toomre & Toomre, Astrophys. J. 178, 623 (1972): two discs on a parabolic orbit draw out tails.
Bodies make_galaxies(const Making& making) {
  const std::size_t first = first_half(making.count);
  Bodies bodies = with_room(making);
  add_galaxy(bodies, first, {}, making.softening, *making.draw);
  add_galaxy(bodies, making.count - first, {}, making.softening, *making.draw);
  const Halves halves(bodies, first);
  constexpr double separation = 2.6, impact = 0.8, total_mass = 2;
  const double distance = std::hypot(separation, impact);
  const double speed = 0.9 * std::sqrt(2 * total_mass / distance) / 2;  // each; a little less than parabolic
  place(halves.one, {0.35, 0.4, {-separation / 2, -impact / 2, 0}, {speed, 0, 0}});
  place(halves.two, {-0.9, 1.2, {separation / 2, impact / 2, 0}, {-speed, 0, 0}});
  return bodies;
}

}  // namespace orrery
