#include "model/nbody/initial.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <span>

#include "base/error.hpp"
#include "model/nbody/body_file.hpp"
#include "model/nbody/random.hpp"

namespace orrery {
namespace {

using Vector = std::array<double, 3>;

Body body_at(double mass, const Vector& x, const Vector& v) { return {mass, x[0], x[1], x[2], v[0], v[1], v[2]}; }

// q = v / v_escape, distributed as q²(1 − q²)^{7/2}, by rejection.
double plummer_speed(Random& random) {
  for (;;) {
    const double q = random.uniform();
    if (0.1 * random.uniform() < q * q * std::pow(1 - q * q, 3.5)) return q;
  }
}

// Aarseth, Hénon & Wielen, Astron. Astrophys. 37, 183 (1974), for a sphere of that mass and scale radius.
void add_plummer(Bodies& bodies, std::size_t count, double mass, double scale, Random& random) {
  const double each = mass / static_cast<double>(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double radius = 1 / std::sqrt(std::pow(random.uniform(), -2. / 3) - 1);
    const double escape = std::numbers::sqrt2 * std::pow(1 + radius * radius, -0.25);
    const double speed = plummer_speed(random) * escape * std::sqrt(mass / scale);
    bodies.push_back(body_at(each, random.on_sphere(radius * scale), random.on_sphere(speed)));
  }
}

// Hénon units: mass 1, energy −1/4, so that the scale radius is 3π/16.
Bodies plummer(std::size_t count, Random& random) {
  Bodies bodies;
  add_plummer(bodies, count, 1, 3 * std::numbers::pi / 16, random);
  return bodies;
}

// Edge 2, mass 1, at rest: it collapses at once.
Bodies cube(std::size_t count, Random& random) {
  Bodies bodies;
  const auto edge = [&] { return random.uniform(-1, 1); };
  for (std::size_t i = 0; i < count; ++i) {
    const Vector x{edge(), edge(), edge()};
    bodies.push_back(body_at(1 / static_cast<double>(count), x, {}));
  }
  return bodies;
}

struct Galaxy {
  double nucleus = 0.2;  // mass of the one body in the middle
  double bulge = 0.25;   // mass of a round bulge …
  double bulge_scale = 0.15;
  double bulge_share = 0.2;  // … and its share of the bodies
  double disc = 0.55;        // mass of an exponential disc …
  double scale = 0.36;       // … its scale length …
  double radius = 1.5;       // … where it is cut off …
  double thickness = 0.02;   // … and its standard deviation across
  double dispersion = 0.05;  // of the velocities, of the circular one
  double arms = 0.32;        // how far two spiral arms have drawn the bodies together, in radians
};

// The radius inside which that share of an exponential disc lies, M(r) ∝ 1 − (1 + r/h)·exp(−r/h), by bisection.
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

// Of a round orbit, as if all mass were round: good enough for a start that is to change anyway.
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

// A Plummer sphere's places, and in every direction speeds below those of round orbits: all of it stays bound.
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

// Turns about the x axis, then about the z axis.
void turn(Vector& v, double inclination, double node) {
  const double y = v[1] * std::cos(inclination) - v[2] * std::sin(inclination);
  const double z = v[1] * std::sin(inclination) + v[2] * std::cos(inclination);
  v = {v[0] * std::cos(node) - y * std::sin(node), v[0] * std::sin(node) + y * std::cos(node), z};
}

struct Placement {
  double inclination, node;
  Vector position, velocity;
};

void place(Bodies& bodies, const Placement& at) {
  for (Body& body : bodies) {
    Vector x{body.x, body.y, body.z}, v{body.vx, body.vy, body.vz};
    turn(x, at.inclination, at.node);
    turn(v, at.inclination, at.node);
    for (std::size_t k = 0; k < 3; ++k) {
      x[k] += at.position[k];
      v[k] += at.velocity[k];
    }
    body = body_at(body.mass, x, v);
  }
}

Bodies disc(std::size_t count, Random& random) { return galaxy_of(count, {}, find_initial("disc")->softening, random); }

// Toomre & Toomre, Astrophys. J. 178, 623 (1972): two discs on a parabolic orbit draw out tails.
Bodies galaxies(std::size_t count, Random& random) {
  const double softening = find_initial("galaxies")->softening;
  const std::size_t first = count - count / 2;
  Bodies one = galaxy_of(first, {}, softening, random);
  Bodies two = count > first ? galaxy_of(count - first, {}, softening, random) : Bodies{};
  constexpr double separation = 2.6, impact = 0.8, total_mass = 2;
  const double distance = std::hypot(separation, impact);
  const double speed = 0.9 * std::sqrt(2 * total_mass / distance) / 2;  // each; a little less than parabolic
  place(one, {0.35, 0.4, {-separation / 2, -impact / 2, 0}, {speed, 0, 0}});
  place(two, {-0.9, 1.2, {separation / 2, impact / 2, 0}, {-speed, 0, 0}});
  one.insert(one.end(), two.begin(), two.end());
  return one;
}

// Chenciner & Montgomery, Ann. Math. 152, 881 (2000), with the digits of C. Simó.
Bodies figure_eight(std::size_t, Random&) {
  constexpr double x = 0.97000435669734, y = -0.24308753153583, vx = -0.93240737144104, vy = -0.86473146092102;
  return {{1, x, y, 0, -vx / 2, -vy / 2, 0}, {1, -x, -y, 0, -vx / 2, -vy / 2, 0}, {1, 0, 0, 0, vx, vy, 0}};
}

struct Initial {
  InitialInfo info;
  Bodies (*make)(std::size_t, Random&);
};

constexpr std::array initials{
    Initial{{"galaxies", "two discs about to merge", 0.01, 0.05, 1}, galaxies},
    Initial{{"plummer", "a Plummer sphere at rest with itself, in Hénon units", 0.01, 0.02, 1}, plummer},
    Initial{{"disc", "an exponential disc around a bulge and a heavy nucleus", 0.01, 0.05, 1}, disc},
    Initial{{"cube", "a uniform cube that falls together", 0.01, 0.04, 1}, cube},
    Initial{{"figure-eight", "three bodies that follow one another round an eight", 0.002, 0, 12, 3}, figure_eight},
};

std::string all_names() {
  std::string text;
  for (const std::string_view name : initial_names()) text += std::string(name) + " | ";
  return text + "a .csv or .npy file";
}

void check_count(const std::string& initial, std::int64_t asked, std::int64_t possible) {
  if (asked != 0 && asked != possible)
    throw usage_error("--bodies cannot be", std::to_string(asked),
                      initial + " has " + std::to_string(possible) + "; allowed: auto | " + std::to_string(possible));
}

}  // namespace

std::vector<std::string_view> initial_names() {
  std::vector<std::string_view> names;
  for (const Initial& initial : initials) names.push_back(initial.info.name);
  return names;
}

const InitialInfo* find_initial(std::string_view name) {
  const auto found = std::ranges::find(initials, name, [](const Initial& initial) { return initial.info.name; });
  return found == initials.end() ? nullptr : &found->info;
}

std::int64_t automatic_bodies(std::string_view initial, DeviceClass device_class) {
  const InitialInfo* info = find_initial(initial);
  if (info != nullptr && info->fixed_bodies > 0) return info->fixed_bodies;
  return device_class == DeviceClass::cpu ? 4096 : 65536;
}

void check_initial(const std::string& initial, std::int64_t count) {
  const InitialInfo* info = find_initial(initial);
  if (info == nullptr)
    (void)make_bodies(initial, count, 0, 0);
  else if (info->fixed_bodies > 0)
    check_count(initial, count, info->fixed_bodies);
}

Bodies make_bodies(const std::string& initial, std::int64_t count, std::int64_t automatic, std::uint64_t seed) {
  const InitialInfo* info = find_initial(initial);
  if (info == nullptr) {
    if (std::filesystem::path(initial).extension().empty())
      throw usage_error("--initial cannot be", initial, "allowed: " + all_names());
    Bodies bodies = read_bodies(initial);
    check_count(initial, count, static_cast<std::int64_t>(bodies.size()));
    return bodies;
  }
  if (info->fixed_bodies > 0) check_count(initial, count, info->fixed_bodies);
  Random random(seed);
  const auto named = std::ranges::find(initials, info, [](const Initial& i) { return &i.info; });
  Bodies bodies = named->make(static_cast<std::size_t>(count > 0 ? count : automatic), random);
  centre(bodies);
  return bodies;
}

void centre(Bodies& bodies) {
  Body sum;
  for (const Body& b : bodies) {
    sum.mass += b.mass;
    sum.x += b.mass * b.x;
    sum.y += b.mass * b.y;
    sum.z += b.mass * b.z;
    sum.vx += b.mass * b.vx;
    sum.vy += b.mass * b.vy;
    sum.vz += b.mass * b.vz;
  }
  if (!(sum.mass > 0)) return;
  for (Body& b : bodies) {
    b.x -= sum.x / sum.mass;
    b.y -= sum.y / sum.mass;
    b.z -= sum.z / sum.mass;
    b.vx -= sum.vx / sum.mass;
    b.vy -= sum.vy / sum.mass;
    b.vz -= sum.vz / sum.mass;
  }
}

}  // namespace orrery
