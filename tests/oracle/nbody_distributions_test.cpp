/// Positions and velocities of the large systems against the closed forms that they are drawn from, for the generators
/// of small sets and of sets of millions.
///
/// Distributions by Kolmogorov and Smirnov: √N times the largest difference of the sampled and the true cumulative
/// distribution exceeds 1.95 in one sample of a thousand; the seeds are fixed.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <span>

#include "scenes/nbody/bodies/galaxy_model.hpp"
#include "scenes/nbody/bodies/initial.hpp"
#include "scenes/nbody/bodies/placement.hpp"

using namespace orrery;
using std::numbers::pi;

namespace {

constexpr double unlikely = 1.95;

double kolmogorov(std::vector<double> values, const std::function<double(double)>& cumulative) {
  std::ranges::sort(values);
  const auto n = static_cast<double>(values.size());
  double worst = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double expected = cumulative(values[i]);
    worst = std::max({worst, expected - static_cast<double>(i) / n, static_cast<double>(i + 1) / n - expected});
  }
  return worst * std::sqrt(n);
}

double integral(const std::function<double(double)>& f, double from, double to, int steps = 2000) {
  const double h = (to - from) / steps;
  double sum = f(from) + f(to);
  for (int i = 1; i < steps; ++i) sum += (i % 2 == 1 ? 4 : 2) * f(from + i * h);
  return sum * h / 3;
}

double radius(const Body& b) { return std::hypot(b.x, b.y, b.z); }
double speed(const Body& b) { return std::hypot(b.vx, b.vy, b.vz); }
double squared(double x) { return x * x; }

template <class F>
std::vector<double> each(std::span<const Body> bodies, F&& of) {
  std::vector<double> values;
  for (const Body& b : bodies) values.push_back(of(b));
  return values;
}

struct Pull {
  double x = 0, y = 0, z = 0, potential = 0;
};

Pull pull_at(std::span<const Body> bodies, const Vector& at, double softening) {
  Pull pull;
  for (const Body& b : bodies) {
    const double dx = b.x - at[0], dy = b.y - at[1], dz = b.z - at[2];
    const double r2 = dx * dx + dy * dy + dz * dz + softening * softening;
    if (dx * dx + dy * dy + dz * dz == 0) continue;
    const double p = b.mass / std::sqrt(r2), f = p / r2;
    pull = {pull.x + f * dx, pull.y + f * dy, pull.z + f * dz, pull.potential - p};
  }
  return pull;
}

/// A galaxy as the model draws it, separated into its parts.
struct Parts {
  Bodies bodies;
  std::span<const Body> disc, bulge, halo;
};

constexpr double softening = 0.08;  // the default of `disc`

Bodies drawn(std::string_view initial, std::size_t count, std::uint64_t seed, Draws draws) {
  return draw_bodies(*find_initial(initial), count, seed, draws);
}

Parts parts_drawn(Draws draws) {
  BodyDraw draw(11, draws);
  Parts made;
  GalaxyModel(softening).append(made.bodies, 30000, draw);
  const auto bulge = static_cast<std::size_t>(galaxy::bulge_share * 30000);
  const auto halo = static_cast<std::size_t>(galaxy::halo_share * 30000);
  const std::span<const Body> all = made.bodies;
  made.disc = all.first(all.size() - bulge - halo);
  made.bulge = all.subspan(made.disc.size(), bulge);
  made.halo = all.last(halo);
  return made;
}

const Parts& galaxy_parts(Draws draws) {
  static const Parts few = parts_drawn(Draws::in_sequence), many = parts_drawn(Draws::each_by_body);
  return draws == Draws::in_sequence ? few : many;
}

class drawn_bodies : public testing::TestWithParam<Draws> {};
using NbodyPlummer = drawn_bodies;
using NbodySphere = drawn_bodies;
using NbodyCube = drawn_bodies;
using NbodyGalaxies = drawn_bodies;
using NbodyMerger = drawn_bodies;
class NbodyDisc : public drawn_bodies {
 protected:
  const Parts& parts = galaxy_parts(GetParam());
};

}  // namespace

// ---- Plummer's sphere

TEST_P(NbodyPlummer, HasTheCumulativeMassOfItsScaleRadius) {
  constexpr double b = 3 * pi / 16;
  const Bodies bodies = drawn("plummer", 20000, 4, GetParam());
  EXPECT_LT(kolmogorov(each(bodies, radius), [](double r) { return std::pow(r * r / (r * r + b * b), 1.5); }),
            unlikely);
}

TEST_P(NbodyPlummer, HasTheSpeedsOfAPolytropeOfIndexFive) {
  constexpr double b = 3 * pi / 16;
  const auto density = [](double q) { return q * q * std::pow(1 - q * q, 3.5); };
  std::array<double, 1001> table{};
  for (std::size_t i = 1; i < table.size(); ++i) {
    const double q = static_cast<double>(i) / 1000;
    table[i] = table[i - 1] + integral(density, q - 0.001, q, 2);
  }
  EXPECT_NEAR(table.back(), 7 * pi / 512, 1e-9);
  const auto of_escape = [](const Body& body) { return speed(body) / std::sqrt(2 / std::hypot(radius(body), b)); };
  const auto cumulative = [&](double q) {
    const double at = std::clamp(q, 0.0, 1.0) * 1000;
    const auto i = std::min<std::size_t>(static_cast<std::size_t>(at), 999);
    return std::lerp(table[i], table[i + 1], at - static_cast<double>(i)) / table.back();
  };
  EXPECT_LT(kolmogorov(each(drawn("plummer", 20000, 4, GetParam()), of_escape), cumulative), unlikely);
}

TEST_P(NbodyPlummer, IsIsotropic) {
  const auto flat = [](double cosine) { return (1 + cosine) / 2; };
  const Bodies bodies = drawn("plummer", 20000, 4, GetParam());
  EXPECT_LT(kolmogorov(each(bodies, [](const Body& b) { return b.z / radius(b); }), flat), unlikely);
  EXPECT_LT(kolmogorov(each(bodies, [](const Body& b) { return b.vy / speed(b); }), flat), unlikely);
  // The angle between position and velocity, which shows whether the two are independent.
  const auto between = [](const Body& b) { return (b.x * b.vx + b.y * b.vy + b.z * b.vz) / (radius(b) * speed(b)); };
  EXPECT_LT(kolmogorov(each(bodies, between), flat), unlikely);
}

// ---- cold systems

TEST_P(NbodySphere, IsUniformAndAtRest) {
  const Bodies bodies = drawn("sphere", 20000, 4, GetParam());
  EXPECT_LT(kolmogorov(each(bodies, radius), [](double r) { return std::min(1.0, r * r * r); }), unlikely);
  for (const Body& b : bodies) EXPECT_EQ(speed(b), 0);
}

TEST_P(NbodyCube, IsUniformAndAtRest) {
  const Bodies bodies = drawn("cube", 20000, 4, GetParam());
  for (const auto member : {&Body::x, &Body::y, &Body::z})
    EXPECT_LT(kolmogorov(each(bodies, [&](const Body& b) { return b.*member; }),
                         [](double x) { return std::clamp((x + 1) / 2, 0.0, 1.0); }),
              unlikely);
  for (const Body& b : bodies) EXPECT_EQ(speed(b), 0);
}

// ---- the disc in its halo

TEST_P(NbodyDisc, IsExponentialAlongAndSechSquaredAcross) {
  const auto inside = [](double r) { return 1 - (1 + r) * std::exp(-r); };
  const std::span<const Body> disc = parts.disc;
  EXPECT_LT(kolmogorov(each(disc, [](const Body& b) { return std::hypot(b.x, b.y); }),
                       [&](double r) { return inside(r) / inside(10); }),
            unlikely);
  EXPECT_LT(
      kolmogorov(each(disc, [](const Body& b) { return b.z; }), [](double z) { return (1 + std::tanh(z / 0.2)) / 2; }),
      unlikely);
  EXPECT_LT(kolmogorov(each(disc, [](const Body& b) { return std::atan2(b.y, b.x); }),
                       [](double angle) { return (angle + pi) / (2 * pi); }),
            unlikely);
}

TEST_P(NbodyDisc, HasHernquistsBulgeAndHalo) {
  const auto bulge = [](double r) { return squared(r / (r + 0.2)) / squared(4 / 4.2); };
  EXPECT_LT(kolmogorov(each(parts.bulge, radius), bulge), unlikely);
  const auto shell = [](double r) { return r * r * std::exp(-r * r / 16) / (r * r + 1); };
  const double all = integral(shell, 0, 16);
  EXPECT_LT(kolmogorov(each(parts.halo, radius), [&](double r) { return integral(shell, 0, r, 100) / all; }), unlikely);
}

TEST_P(NbodyDisc, HasTheStatedMasses) {
  const auto mass = [](std::span<const Body> bodies) {
    double sum = 0;
    for (const Body& b : bodies) sum += b.mass;
    return sum;
  };
  EXPECT_NEAR(mass(parts.disc), 1, 1e-12);
  EXPECT_NEAR(mass(parts.bulge), 1. / 3, 1e-12);
  EXPECT_NEAR(mass(parts.halo), 2.4, 1e-12);
}

// Freeman's closed form for zero thickness, with the standard library's Bessel functions.
TEST(NbodyDiscRotation, IsFreemansForAThinDisc) {
  const DiscRotation thin(1e-6, 0);
  for (const double r : {0.1, 0.5, 1.0, 2.2, 5.0, 7.0, 10.0}) {
    const double y = r / 2;
    const double freeman =
        2 * y * y *
        (std::cyl_bessel_i(0, y) * std::cyl_bessel_k(0, y) - std::cyl_bessel_i(1, y) * std::cyl_bessel_k(1, y));
    EXPECT_NEAR(thin.speed_squared(r), freeman, 2e-3 * freeman) << r;
  }
}

TEST(NbodyDiscRotation, HasTheBesselFunctionRight) {
  for (double x = 0; x < 300; x += 0.37) EXPECT_NEAR(bessel_j1(x), std::cyl_bessel_j(1, x), 2e-7) << x;
}

// The summed force of the bodies, averaged over circles at the disc's heights. With 30,000 bodies it fluctuates by a
// few hundredths, which 72 points per circle reduce to less than one hundredth.
TEST_P(NbodyDisc, RotatesAtTheSpeedOfItsOwnGravity) {
  const GalaxyModel model(softening);
  for (const double r : {0.5, 1.0, 2.0, 3.0, 5.0}) {
    double sum = 0;
    constexpr int points = 72;
    for (int i = 0; i < points; ++i) {
      const double angle = 2 * pi * i / points, height = 0.2 * std::atanh((2. * (i * 29 % points) + 1) / points - 1);
      const Pull pull = pull_at(parts.bodies, {r * std::cos(angle), r * std::sin(angle), height}, softening);
      sum -= r * (pull.x * std::cos(angle) + pull.y * std::sin(angle)) / points;
    }
    EXPECT_NEAR(squared(model.circular_speed(r)), sum, 0.03 * sum) << r;
  }
}

// Around R = 2.43: σ_R κ / (3.36 Σ) = 1.3, σ_φ / σ_R = κ / 2Ω, σ_z² = πΣz₀, and a mean that lags the circle by what the
// Jeans equation says; Ω and κ from the summed forces. A dispersion of n bodies is known to 1/√(2n).
TEST_P(NbodyDisc, HasTheDispersionsOfItsQ) {
  constexpr double reference = 8.5 / 3.5, half_width = 0.15;
  double n = 0, mean = 0, radial = 0, tangential = 0, vertical = 0;
  for (int pass = 0; pass < 2; ++pass) {
    n = 0;
    double sum = 0;
    for (const Body& b : parts.disc) {
      const double r = std::hypot(b.x, b.y);
      if (std::abs(r - reference) > half_width) continue;
      ++n;
      const double around = (b.x * b.vy - b.y * b.vx) / r;
      sum += around;
      if (pass == 0) continue;
      radial += squared((b.x * b.vx + b.y * b.vy) / r);
      tangential += squared(around - mean);
      vertical += squared(b.vz);
    }
    mean = sum / n;
  }
  radial = std::sqrt(radial / n);
  tangential = std::sqrt(tangential / n);
  vertical = std::sqrt(vertical / n);
  const double sampling = 4 / std::sqrt(2 * n), forces = 0.02;

  const auto circular = [&](double r) {
    double sum = 0;
    for (int i = 0; i < 72; ++i) {
      const double angle = 2 * pi * i / 72, height = 0.2 * std::atanh((2. * (i * 29 % 72) + 1) / 72 - 1);
      const Pull pull = pull_at(parts.bodies, {r * std::cos(angle), r * std::sin(angle), height}, softening);
      sum -= r * (pull.x * std::cos(angle) + pull.y * std::sin(angle)) / 72;
    }
    return sum;
  };
  const double v2 = circular(reference), slope = std::log(circular(3.4) / circular(1.7)) / std::log(2.0);
  const double ratio = 0.5 + slope / 4;  // κ²/4Ω²
  const double kappa = 2 * std::sqrt(ratio * v2) / reference;
  const double density = std::exp(-reference) / (2 * pi);
  EXPECT_NEAR(radial * kappa / (3.36 * density), 1.3, 1.3 * (sampling + 2 * forces));
  EXPECT_NEAR(tangential / radial, std::sqrt(ratio), std::sqrt(ratio) * (1.5 * sampling + forces));
  EXPECT_NEAR(vertical, std::sqrt(pi * density * 0.2), vertical * sampling);
  const double expected = std::sqrt(v2 + radial * radial * (1 - ratio - 2 * reference));
  EXPECT_NEAR(mean, expected, 4 * tangential / std::sqrt(n) + forces * expected);
}

// 2K = −Σ m x·a, the virial theorem in softened forces, and nothing on its way out.
TEST_P(NbodyDisc, IsNearEquilibriumAndBound) {
  BodyDraw draw(5, GetParam());
  Bodies bodies;
  GalaxyModel(softening).append(bodies, 12000, draw);
  std::vector<double> potential(bodies.size(), 0);
  double kinetic = 0, clausius = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Body& a = bodies[i];
    kinetic += a.mass * squared(speed(a)) / 2;
    for (std::size_t j = 0; j < i; ++j) {
      const Body& b = bodies[j];
      const double r2 = squared(a.x - b.x) + squared(a.y - b.y) + squared(a.z - b.z);
      const double soft = r2 + softening * softening, root = std::sqrt(soft);
      clausius += a.mass * b.mass * r2 / (soft * root);
      potential[i] -= b.mass / root;
      potential[j] -= a.mass / root;
    }
  }
  // 2,400 halo bodies have most of the kinetic energy, and their v² spreads by 0.8 of its mean: two standard errors,
  // and two hundredths because the halo is drawn as if the disc were spherical.
  EXPECT_NEAR(2 * kinetic / clausius, 1, 2 * 0.8 / std::sqrt(2400.) + 0.02);
  std::size_t unbound = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (squared(speed(bodies[i])) / 2 + potential[i] > 0) ++unbound;
  EXPECT_LT(unbound, bodies.size() / 1000);
}

// ---- the galaxies made for display

// Body i of n stands where the disc's mass within is the share (i + u) / n.
TEST_P(NbodyGalaxies, HaveExponentialDiscs) {
  const Bodies bodies = drawn("galaxies", 8000, 6, GetParam());
  const Body& nucleus = bodies.front();
  const auto inside = [](double r) { return 1 - (1 + r / 0.36) * std::exp(-r / 0.36); };
  constexpr std::size_t bulge = 800, disc = 4000 - 1 - bulge;
  for (std::size_t i = 0; i < disc; ++i) {
    const Body& b = bodies[1 + bulge + i];
    const Vector upright = turned({b.x - nucleus.x, b.y - nucleus.y, b.z - nucleus.z}, 0, -0.4);
    const Vector flat = turned(upright, -0.35, 0);
    const double place = inside(std::hypot(flat[0], flat[1])) / inside(1.5) * static_cast<double>(disc);
    ASSERT_GE(place, static_cast<double>(i) - 1e-9);
    ASSERT_LE(place, static_cast<double>(i + 1) + 1e-9);
  }
}

// ---- the merger

TEST_P(NbodyMerger, ComesOnAParabola) {
  const Bodies bodies = drawn("merger", 4000, 2, GetParam());
  const auto middle = [](std::span<const Body> half) {
    Body sum;
    for (const Body& b : half) {
      sum.mass += b.mass;
      sum.x += b.mass * b.x;
      sum.y += b.mass * b.y;
      sum.z += b.mass * b.z;
      sum.vx += b.mass * b.vx;
      sum.vy += b.mass * b.vy;
      sum.vz += b.mass * b.vz;
    }
    return Body{sum.mass,          sum.x / sum.mass,  sum.y / sum.mass, sum.z / sum.mass,
                sum.vx / sum.mass, sum.vy / sum.mass, sum.vz / sum.mass};
  };
  const std::span<const Body> all = bodies;
  const Body one = middle(all.first(2000)), two = middle(all.last(2000));
  const double x = two.x - one.x, y = two.y - one.y, vx = two.vx - one.vx, vy = two.vy - one.vy;
  const double mass = one.mass + two.mass, angular = x * vy - y * vx;
  EXPECT_NEAR(std::hypot(x, y), 12, 1e-10);
  EXPECT_NEAR((vx * vx + vy * vy) / 2, mass / 12, 1e-10) << "no energy";
  EXPECT_NEAR(angular * angular / (2 * mass), 2, 1e-10) << "pericentre";
  EXPECT_LT(x * vx + y * vy, 0) << "they come closer";
  EXPECT_NEAR(two.z - one.z, 0, 1e-12);
  EXPECT_NEAR(two.vz - one.vz, 0, 1e-12);
}

// ---- both generators

namespace {

const auto both = testing::Values(Draws::in_sequence, Draws::each_by_body);

std::string name_of_draws(const testing::TestParamInfo<Draws>& draws) {
  return draws.param == Draws::in_sequence ? "InSequence" : "EachByBody";
}

}  // namespace

INSTANTIATE_TEST_SUITE_P(Drawn, NbodyPlummer, both, name_of_draws);
INSTANTIATE_TEST_SUITE_P(Drawn, NbodySphere, both, name_of_draws);
INSTANTIATE_TEST_SUITE_P(Drawn, NbodyCube, both, name_of_draws);
INSTANTIATE_TEST_SUITE_P(Drawn, NbodyDisc, both, name_of_draws);
INSTANTIATE_TEST_SUITE_P(Drawn, NbodyGalaxies, both, name_of_draws);
INSTANTIATE_TEST_SUITE_P(Drawn, NbodyMerger, both, name_of_draws);

TEST(NbodyDrawnBodies, GivesEachBodyItsOwnNumbers) {
  const auto one = [](auto& random, std::size_t) { return Body{random.uniform(), random.normal(), 0, 0, 0, 0, 0}; };
  Bodies whole, pieces;
  BodyDraw(3, Draws::each_by_body).append(whole, 1500, one);
  BodyDraw draw(3, Draws::each_by_body);
  for (const std::size_t piece : {1, 700, 799}) draw.append(pieces, piece, one);
  EXPECT_EQ(pieces, whole);
  Bodies others;
  BodyDraw(4, Draws::each_by_body).append(others, 1500, one);
  for (std::size_t i = 0; i < whole.size(); ++i) EXPECT_NE(others[i], whole[i]);
}

// Saved sessions and presets regenerate up to 1,048,576 bodies from their seed.
TEST(NbodyDrawnBodies, IsInSequenceUpToAMillion) {
  constexpr std::size_t most = 1048576;
  const auto made = [](std::size_t count) { return make_bodies("cube", static_cast<std::int64_t>(count), 0, 9); };
  EXPECT_EQ(made(most), drawn("cube", most, 9, Draws::in_sequence));
  EXPECT_EQ(made(most + 1), drawn("cube", most + 1, 9, Draws::each_by_body));
}
