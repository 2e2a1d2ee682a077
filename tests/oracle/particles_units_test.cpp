/// Particles in any units: planets in astronomical ones, argon in kilograms and metres, forces of any size, against
/// plain sums and plain time steps on the host.
#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

#include "bench.hpp"
#include "particles_worlds.hpp"

using namespace orrery;
using namespace orrery::particles;

namespace {

using Wide = std::array<long double, 3>;

/// E. Hairer, C. Lubich, G. Wanner, Geometric Numerical Integration (2006), section I.2.4: Sun, Jupiter … Pluto in
/// astronomical units, days and solar masses; and a space probe of a tonne.
World planets() {
  World world = empty_world(7);
  Particles& p = world.particles;
  p.mass = {1.00000597682, 9.54786104043e-4, 2.85583733151e-4, 4.37273164546e-5, 5.17759138449e-5, 1 / 1.3e8, 5e-28};
  p.position = {{0, 0, 0},
                {-3.5023653, -3.8169847, -1.5507963},
                {9.0755314, -3.0458353, -1.6483708},
                {8.3101420, -16.2901086, -7.2521278},
                {11.4707666, -25.7294829, -10.8169456},
                {-15.5387357, -25.2225594, -3.1902382},
                {40, 7, -3}};
  p.velocity = {{0, 0, 0},
                {0.00565429, -0.00412490, -0.00190589},
                {0.00168318, 0.00483525, 0.00192462},
                {0.00354178, 0.00137102, 0.00055029},
                {0.00288930, 0.00114527, 0.00039677},
                {0.00276725, -0.00170702, -0.00136504},
                {-0.002, 0.001, 0.0003}};
  world.pairs = {ready_pair_law("gravity")};
  world.pairs.front().parameters = {{.name = "G", .value = 2.95912208286e-4},
                                    {.name = "softening", .value = 0, .minimum = 0, .maximum = 1}};
  world.ensemble.dt = 20;
  return world;
}

std::vector<Wide> plain_gravity(const World& world, const std::vector<Wide>& at) {
  const long double G = static_cast<long double>(world.pairs.front().parameters.front().value);
  std::vector<Wide> forces(at.size(), Wide{});
  for (std::size_t i = 0; i < at.size(); ++i)
    for (std::size_t j = 0; j < at.size(); ++j) {
      if (i == j) continue;
      Wide d{};
      for (std::size_t k = 0; k < 3; ++k) d[k] = at[j][k] - at[i][k];
      const long double r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
      const long double pull = G * static_cast<long double>(world.particles.mass[i]) *
                               static_cast<long double>(world.particles.mass[j]) / (r2 * std::sqrt(r2));
      for (std::size_t k = 0; k < 3; ++k) forces[i][k] += pull * d[k];
    }
  return forces;
}

std::vector<Wide> wide(const std::vector<Vector>& vectors) {
  std::vector<Wide> result;
  for (const Vector& v : vectors) result.push_back({v[0], v[1], v[2]});
  return result;
}

double size_of(const auto& v) {
  return static_cast<double>(
      std::hypot(static_cast<double>(v[0]), static_cast<double>(v[1]), static_cast<double>(v[2])));
}

/// The largest |a − b| / |b|.
double relative_difference(const std::vector<Vector>& a, const std::vector<Wide>& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    Wide d{};
    for (std::size_t k = 0; k < 3; ++k) d[k] = static_cast<long double>(a[i][k]) - b[i][k];
    most = std::max(most, size_of(d) / size_of(b[i]));
  }
  return most;
}

/// A Lennard-Jones liquid in the given units of length, mass and energy, after a few steps.
World argon(double length, double mass, double energy) {
  World world = fluid(216, 0.8, 0.1);
  Random random(5);
  const double time = length * std::sqrt(mass / energy);
  for (double& side : *world.box.lengths) side *= length;
  for (Vector& at : world.particles.position)
    for (double& x : at) x *= length;
  for (Vector& v : world.particles.velocity)
    for (double& x : v) x = random.normal() * length / time;
  world.particles.mass.assign(world.particles.size(), mass);
  PairLaw& law = world.pairs.front();
  law.cutoff = 2.5 * length;
  law.parameters = {{.name = "epsilon", .value = energy, .minimum = 0, .maximum = energy},
                    {.name = "sigma", .value = length, .minimum = 0, .maximum = length}};
  world.ensemble.dt = 0.002 * time;
  world.boltzmann = 1.380649e-23;
  world.ensemble.temperature = energy / world.boltzmann;
  return world;
}

double tolerance_of(Precision precision) { return precision == Precision::double_ ? 1e-13 : 1e-5; }

constexpr Precision all_precisions[] = {Precision::single, Precision::mixed, Precision::double_};

}  // namespace

// All bodies from the Sun to the probe, whose force is 10⁻²⁴ of the largest.
TEST(ParticleUnits, PlanetsFeelForcesInAstronomicalUnits) {
  const World world = planets();
  for (const Precision precision : all_precisions) {
    Engine engine(bench().programs, world, {.precision = precision});
    EXPECT_LT(relative_difference(engine.forces_blocking(bench().queue),
                                  plain_gravity(world, wide(world.particles.position))),
              tolerance_of(precision));
  }
}

// The same steps of velocity Verlet in extended precision, for 110 years.
TEST(ParticleUnits, PlanetsMoveInDoubleToTheNinthDigit) {
  const World world = planets();
  constexpr std::int64_t steps = 2000;
  std::vector<Wide> at = wide(world.particles.position), velocity = wide(world.particles.velocity);
  std::vector<Wide> forces = plain_gravity(world, at);
  const long double dt = static_cast<long double>(world.ensemble.dt);
  const auto kick = [&] {
    for (std::size_t i = 0; i < at.size(); ++i)
      for (std::size_t k = 0; k < 3; ++k)
        velocity[i][k] += dt / 2 * forces[i][k] / static_cast<long double>(world.particles.mass[i]);
  };
  for (std::int64_t step = 0; step < steps; ++step) {
    kick();
    for (std::size_t i = 0; i < at.size(); ++i)
      for (std::size_t k = 0; k < 3; ++k) at[i][k] += dt * velocity[i][k];
    forces = plain_gravity(world, at);
    kick();
  }
  Engine engine(bench().programs, world, {.precision = Precision::double_});
  run_burst(engine, bench().queue, {steps});
  const Snapshot end = engine.snapshot_blocking(bench().queue);
  EXPECT_LT(relative_difference(end.position, at), 1e-11);
  EXPECT_LT(relative_difference(end.velocity, velocity), 1e-11);
}

// Argon in kilograms, metres and seconds, and a liquid of stars: the same path as in units of the law.
TEST(ParticleUnits, ALiquidMovesAlikeInAnyUnits) {
  struct Units {
    double length, mass, energy;
  };
  for (const Precision precision : all_precisions) {
    const auto path = [&](const Units& u) {
      Engine engine(bench().programs, argon(u.length, u.mass, u.energy), {.precision = precision});
      run_burst(engine, bench().queue, {100, true});
      const Observables o = observe_blocking(engine, bench().queue);
      std::vector<Wide> at = wide(engine.snapshot_blocking(bench().queue).position);
      for (Wide& x : at)
        for (long double& one : x) one /= static_cast<long double>(u.length);
      return std::pair{at, o.total() / u.energy};
    };
    const auto [expected, energy] = path({1, 1, 1});
    for (const Units& units : {Units{3.405e-10, 6.6335e-26, 1.65398e-21}, Units{1e12, 1e9, 1e15}}) {
      if (units.length > 1 && precision == Precision::single) continue;  // float has no such numbers
      const auto [found, other_energy] = path(units);
      double most = 0;
      for (std::size_t i = 0; i < found.size(); ++i)
        for (std::size_t k = 0; k < 3; ++k)
          most = std::max(most, static_cast<double>(std::abs(found[i][k] - expected[i][k])));
      // Rounding grows with every collision.
      EXPECT_LT(most, precision == Precision::double_ ? 1e-10 : 2e-3) << units.length;
      EXPECT_GT(most, 0) << "nothing has been rounded otherwise: nothing was scaled?";
      EXPECT_NEAR(other_energy, energy, (precision == Precision::double_ ? 1e-10 : 1e-4) * std::abs(energy));
    }
  }
}

// Coulomb constants of 10¹⁰ and 10⁻²⁵: the forces are the plain sums, and the energy changes by their work.
TEST(ParticleUnits, ForcesMayBeOfAnySize) {
  World world = empty_world(90);
  Random random(3);
  for (std::size_t i = 0; i < 90; ++i) {
    world.particles.charge[i] = random.uniform(-1, 1);
    for (double& x : world.particles.position[i]) x = random.uniform(-3, 3);
  }
  world.pairs = {ready_pair_law("coulomb")};
  for (const double k : {1e10, 1e-25})
    for (const Precision precision : all_precisions) {
      world.pairs.front().parameters.front() = {.name = "k", .value = k, .minimum = 0, .maximum = k};
      std::vector<Wide> expected(90, Wide{});
      double largest = 0;
      for (std::size_t i = 0; i < 90; ++i)
        for (std::size_t j = 0; j < 90; ++j) {
          if (i == j) continue;
          const Vector d = nearest(world, i, j);
          const double r = size_of(d);
          const double push = -k * world.particles.charge[i] * world.particles.charge[j] / (r * r * r);
          for (std::size_t axis = 0; axis < 3; ++axis) expected[i][axis] += static_cast<long double>(push * d[axis]);
          largest = std::max(largest, std::abs(push) * r);
        }
      Engine engine(bench().programs, world, {.precision = precision});
      const auto forces = engine.forces_blocking(bench().queue);
      for (std::size_t i = 0; i < 90; ++i)
        for (std::size_t axis = 0; axis < 3; ++axis)
          ASSERT_NEAR(forces[i][axis], static_cast<double>(expected[i][axis]), tolerance_of(precision) * largest) << k;
    }
}

// The division of the work has no effect, even if all particles are neighbours, and in double, whose sums have two
// parts.
TEST(ParticleUnits, ForcesDoNotDependOnTheDivisionOfTheWork) {
  World world = empty_world(133);
  Random random(4);
  for (std::size_t i = 0; i < 133; ++i) {
    world.particles.mass[i] = std::exp(random.uniform(-30, 30));
    for (double& x : world.particles.position[i]) x = random.uniform(-3, 3);
  }
  world.pairs = {ready_pair_law("gravity")};
  for (const Precision precision : all_precisions) {
    const auto forces = [&](const ForceVariant& variant) {
      Engine engine(bench().programs, world, variant);
      return engine.forces_blocking(bench().queue);
    };
    const auto expected = forces({.precision = precision, .work_group = 1, .lanes = 1, .split = 1});
    for (const ForceVariant& variant : {ForceVariant{.precision = precision, .work_group = 64, .lanes = 1, .split = 2},
                                        {.precision = precision, .work_group = 128, .lanes = 1, .split = 4},
                                        {.precision = precision, .work_group = 7, .lanes = 1, .split = 1}})
      EXPECT_EQ(forces(variant), expected) << variant.work_group;
  }
}

// Two particles fall towards each other and pass: the force grows a thousand times, and the unit of the sums follows.
// For any division into bursts every bit is the same, and no force is clamped.
TEST(ParticleUnits, AForceThatOutgrowsItsRangeIsComputedOnceMore) {
  World world = empty_world(3);
  world.particles.position = {{-1, 0, 0}, {1, 1e-3, 0}, {300, 0, 0}};
  world.pairs = {ready_pair_law("gravity")};
  world.pairs.front().parameters = {{.name = "G", .value = 32768, .maximum = 1e5},
                                    {.name = "softening", .value = 0.02, .minimum = 0, .maximum = 1}};
  world.ensemble.dt = 2e-6;
  constexpr std::int64_t steps = 7000, cut_until = 6000;
  for (const Precision precision : {Precision::mixed, Precision::double_}) {
    Engine whole(bench().programs, world, {.precision = precision}),
        cut(bench().programs, world, {.precision = precision}),
        resumed(bench().programs, world, {.precision = precision});
    const double before = observe_blocking(whole, bench().queue).total();
    run_burst(whole, bench().queue, {steps});
    for (std::int64_t step = 0; step < cut_until;) {
      const std::int64_t burst = std::min<std::int64_t>(step < 5000 ? 1000 : 13, cut_until - step);
      run_burst(cut, bench().queue, {burst, step % 2 == 0});
      step += burst;
    }
    resumed.restore(bench().queue, cut.snapshot_blocking(bench().queue));
    const Snapshot end = whole.snapshot_blocking(bench().queue);
    for (Engine* other : {&cut, &resumed}) {
      run_burst(*other, bench().queue, {steps - cut_until});
      EXPECT_EQ(other->snapshot_blocking(bench().queue).position, end.position);
      EXPECT_EQ(other->snapshot_blocking(bench().queue).velocity, end.velocity);
    }
    EXPECT_GE(whole.range_changes().times, 1);
    EXPECT_TRUE(whole.range_changes().grown);
    EXPECT_GT(end.position[0][0], 0) << "they have passed each other";
    EXPECT_NEAR(observe_blocking(whole, bench().queue).total(), before, 0.01 * std::abs(before));
  }
}

TEST(ParticleUnits, AForceThatFallsBelowItsRangeIsComputedOnceMore) {
  World world = empty_world(2);
  world.particles.position = {{-0.0025, 0, 0}, {0.0025, 0, 0}};
  world.particles.charge = {1, 1};
  world.pairs = {ready_pair_law("coulomb")};
  world.ensemble.dt = 2e-5;
  Engine engine(bench().programs, world, {.precision = Precision::mixed});
  const double before = observe_blocking(engine, bench().queue).total();
  run_burst(engine, bench().queue, {3000});
  EXPECT_GE(engine.range_changes().times, 1);
  EXPECT_FALSE(engine.range_changes().grown);
  const double r = 2 * engine.snapshot_blocking(bench().queue).position[1][0];
  EXPECT_NEAR(engine.forces_blocking(bench().queue)[1][0], 1 / (r * r), 1e-6 / (r * r));
  EXPECT_NEAR(observe_blocking(engine, bench().queue).total(), before, 0.01 * before);
}

TEST(ParticleUnits, AnEngineKeepsItsRangeWhileForcesStayInIt) {
  Engine engine(bench().programs, fluid(216, 0.8, 0.1), ForceVariant{});
  run_burst(engine, bench().queue, {200});
  EXPECT_EQ(engine.range_changes().times, 0);
}

// −dE/dx of ½ k (θ − θ₀)² is along the arm's normal and has the size k |θ − θ₀| / |arm|.
TEST(ParticleUnits, ANearlyStraightHarmonicAngleIsRight) {
  using std::numbers::pi;
  Random random(8);
  for (const Precision precision : all_precisions)
    for (const double theta0 : {pi, 1.9106, 0.0})
      for (const double bend : {1e-6, 1e-4, 1e-3, 1e-2, 0.3, 1.5}) {
        World world = empty_world(3);
        const double angle = theta0 == 0 ? bend : pi - bend;
        const Vector centre = {random.uniform(-4, 4), random.uniform(-4, 4), random.uniform(-4, 4)};
        // An orthonormal pair of axes.
        const Vector x = random.on_sphere(1), any = random.on_sphere(1);
        Vector y{};
        const double along = x[0] * any[0] + x[1] * any[1] + x[2] * any[2];
        for (std::size_t k = 0; k < 3; ++k) y[k] = any[k] - along * x[k];
        const double norm = size_of(y);
        for (double& one : y) one /= norm;
        const double arm1 = 1.1, arm3 = 0.8;
        for (std::size_t k = 0; k < 3; ++k) {
          world.particles.position[0][k] = centre[k] + arm1 * x[k];
          world.particles.position[1][k] = centre[k];
          world.particles.position[2][k] = centre[k] + arm3 * (std::cos(angle) * x[k] + std::sin(angle) * y[k]);
        }
        GroupLaw law = ready_group_law("harmonic-angle");
        law.parameters = {{.name = "k", .value = 10}, {.name = "theta0", .value = theta0}};
        world.groups = {{law, {0, 1, 2}, {}}};
        Engine engine(bench().programs, world, {.precision = precision});
        const auto forces = engine.forces_blocking(bench().queue);
        // A larger angle turns arm 1 towards −y; a force k (θ − θ₀) along +y makes the angle smaller.
        const double size = 10 * (angle - theta0) / arm1;
        double relative = precision == Precision::double_ ? 1e-9 : 1e-6;  // mixed: forces are kept in single
        // Rounding of positions by 10⁻¹⁶ (in single 10⁻⁷ of 5) turns the arms by as much.
        const double turned =
            (precision == Precision::single ? 3e-6 : 3e-15) / std::min(1.0, std::abs(std::sin(angle)));
        relative += turned + (precision == Precision::single ? 3e-6 : 3e-15) / std::max(1e-9, std::abs(angle - theta0));
        if (relative > 0.1) continue;  // single cannot represent such angles
        for (std::size_t k = 0; k < 3; ++k)
          EXPECT_NEAR(forces[0][k], size * y[k], relative * std::abs(size))
              << bend << " from straight, θ₀ = " << theta0 << ", precision " << static_cast<int>(precision);
        const Observables o = observe_blocking(engine, bench().queue);
        EXPECT_NEAR(o.potential, 5 * (angle - theta0) * (angle - theta0), 2 * relative * o.potential);
      }
}
