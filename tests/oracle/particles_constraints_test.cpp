/// Constraints and minimisation against closed forms and conserved quantities.
#include <gtest/gtest.h>

#include <numbers>

#include "bench.hpp"
#include "particles_worlds.hpp"

using namespace orrery;
using namespace orrery::particles;

namespace {

/// Rigid water: masses 16, 1, 1; legs 1, base 1.6. `extra`: a constraint to a fourth particle, so that no molecule is a
/// triangle.
World water(std::size_t molecules, bool extra) {
  const std::size_t each = extra ? 4 : 3;
  World world = empty_world(each * molecules);
  const double side = 4 * std::cbrt(static_cast<double>(molecules));
  world.box.lengths = Vector{side, side, side};
  Random random(5);
  for (std::uint32_t m = 0; m < molecules; ++m) {
    const auto i = static_cast<std::uint32_t>(each * m);
    const double x = random.uniform(-side / 2, side / 2);
    auto& p = world.particles;
    p.position[i] = {x, 4.0 * m, 0};
    p.position[i + 1] = {x + 0.8, 4.0 * m + 0.6, 0};
    p.position[i + 2] = {x - 0.8, 4.0 * m + 0.6, 0};
    p.mass[i] = 16;
    world.constraints.push_back({i, i + 1, 1});
    world.constraints.push_back({i, i + 2, 1});
    world.constraints.push_back({i + 1, i + 2, 1.6});
    if (!extra) continue;
    p.position[i + 3] = {x, 4.0 * m - 1, 0};
    world.constraints.push_back({i, i + 3, 1});
  }
  draw_velocities(world, 2);
  world.ensemble.dt = 0.01;
  return world;
}

double largest_violation(const World& world, const Snapshot& now) {
  double most = 0;
  for (const Constraint& c : world.constraints) {
    double sum = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      double d = now.position[c.second][k] - now.position[c.first][k];
      if (world.box.periodic()) d -= (*world.box.lengths)[k] * std::rint(d / (*world.box.lengths)[k]);
      sum += d * d;
    }
    most = std::max(most, std::abs(std::sqrt(sum) / c.distance - 1));
  }
  return most;
}

/// 64 molecules of two or three atoms of different masses, turned at random, with Lennard-Jones forces and charges.
World rigid_liquid(std::size_t atoms, double charge) {
  World world = empty_world(64 * atoms);
  world.box.lengths = Vector{14, 15, 16};
  Random random(11);
  for (std::uint32_t m = 0; m < 64; ++m) {
    const auto i = static_cast<std::uint32_t>(atoms * m);
    const double turn = random.uniform(0, 2 * std::numbers::pi), x = std::cos(turn), y = std::sin(turn);
    auto& p = world.particles;
    p.position[i] = {3.5 * (m % 4), 3.75 * (m / 4 % 4), 4.0 * (m / 16)};
    p.position[i + 1] = {p.position[i][0] + x, p.position[i][1] + y, p.position[i][2]};
    p.mass[i] = 3;
    p.charge[i] = charge * static_cast<double>(atoms - 1);
    p.charge[i + 1] = -charge;
    world.constraints.push_back({i, i + 1, 1});
    if (atoms == 2) continue;
    p.position[i + 2] = {p.position[i][0] + 0.28 * x - 0.96 * y, p.position[i][1] + 0.28 * y + 0.96 * x,
                         p.position[i][2]};
    p.charge[i + 2] = -charge;
    world.constraints.push_back({i, i + 2, 1});
    world.constraints.push_back({i + 1, i + 2, 1.2});
  }
  world.pairs = {ready_pair_law("lennard-jones"), ready_pair_law("yukawa")};
  for (PairLaw& law : world.pairs) law.cutoff = 4;
  world.ensemble.dt = 0.002;
  draw_velocities(world, 2);
  return world;
}

/// dE/dr of the ready-made Lennard-Jones and Yukawa laws.
double slope_of(const World& world, std::size_t i, std::size_t j, double r) {
  const double s6 = std::pow(r, -6), kappa = 1, q = world.particles.charge[i] * world.particles.charge[j];
  return -24 * (2 * s6 * s6 - s6) / r - q * std::exp(-kappa * r) * (1 / r + kappa) / r;
}

/// (2 K + Σ R F) / 3V over molecules, R from centre of mass to centre of mass.
double molecular_pressure(const World& world, std::size_t atoms, const Snapshot& now) {
  World present = world;
  present.particles.position = now.position;
  const std::size_t molecules = now.position.size() / atoms;
  std::vector<Vector> arms(now.position.size());  // relative to the molecule's first atom
  std::vector<Vector> centres(molecules);
  double sum = 0;
  for (std::size_t m = 0; m < molecules; ++m) {
    double mass = 0;
    Vector momentum{};
    for (std::size_t i = m * atoms; i < (m + 1) * atoms; ++i) {
      arms[i] = nearest(present, m * atoms, i);
      mass += world.particles.mass[i];
      for (std::size_t k = 0; k < 3; ++k) {
        momentum[k] += world.particles.mass[i] * now.velocity[i][k];
        centres[m][k] += world.particles.mass[i] * arms[i][k];
      }
    }
    for (std::size_t k = 0; k < 3; ++k) {
      centres[m][k] /= mass;
      sum += momentum[k] * momentum[k] / mass;
    }
  }
  for (std::size_t i = 0; i < arms.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const std::size_t a = i / atoms, b = j / atoms;
      const Vector d = nearest(present, i, j);
      const double r = std::hypot(d[0], d[1], d[2]);
      if (a == b || r >= 4) continue;
      const double slope = slope_of(world, i, j, r);
      for (std::size_t k = 0; k < 3; ++k)
        sum -= slope * d[k] / r * (d[k] + arms[i][k] - arms[j][k] - centres[a][k] + centres[b][k]);
    }
  return sum / (3 * world.box.volume());
}

}  // namespace

// Free molecules, whose energy is constant: by SETTLE alone, and with a fourth particle by SHAKE.
TEST(ParticleConstraints, KeepDistancesAndEnergy) {
  for (const bool extra : {false, true})
    for (const Precision precision : {Precision::single, Precision::mixed}) {
      const World world = water(27, extra);
      Engine engine(bench().programs, world, ForceVariant{.precision = precision});
      const double before = observe_blocking(engine, bench().queue).kinetic;
      run_burst(engine, bench().queue, {1000});
      EXPECT_LT(largest_violation(world, engine.snapshot_blocking(bench().queue)), 1e-5) << extra;
      const Observables o = observe_blocking(engine, bench().queue);
      EXPECT_NEAR(o.constraint_error, largest_violation(world, engine.snapshot_blocking(bench().queue)), 1e-7);
      // A rigid rotor's error is (ω dt)²/12 with ω ≈ 2 and dt = 0.01, of which rotation is one half.
      EXPECT_NEAR(o.kinetic / before, 1, precision == Precision::single ? 1e-3 : 1e-4) << extra;
      EXPECT_EQ(o.degrees_of_freedom, static_cast<double>(3 * world.particles.size() - world.constraints.size() - 3));
    }
}

// A rigid molecule's virial about its own centre is minus twice its energy of rotation, whatever acts on it: the
// pressure is that of the centres of mass and of the forces on whole molecules, in every moment.
TEST(ParticleConstraints, GiveRigidMoleculesTheMolecularPressure) {
  for (const std::size_t atoms : {2, 3})
    for (const double charge : {0.0, 0.4})
      for (const Precision precision : {Precision::single, Precision::mixed}) {
        Engine engine(bench().programs, rigid_liquid(atoms, charge), ForceVariant{.precision = precision});
        run_burst(engine, bench().queue, {150});
        const Observables o = observe_blocking(engine, bench().queue);
        const World& world = engine.world();
        const double expected = molecular_pressure(world, atoms, engine.snapshot_blocking(bench().queue));
        const double ideal = 2 * o.kinetic / (3 * world.box.volume());  // all parts of the sum are of this size
        ASSERT_TRUE(o.pressure.has_value());
        EXPECT_NEAR(*o.pressure, expected, (precision == Precision::single ? 2e-3 : 1e-4) * ideal) << atoms << charge;
        EXPECT_GT(std::abs(*o.pressure - ideal), 0.05 * ideal);  // differs from the pressure of the atoms
      }
}

// A gas of rigid rotors: N kT / V with the number of molecules, not of atoms.
TEST(ParticleConstraints, GiveAGasOfRotorsTheIdealPressure) {
  World world = rigid_liquid(2, 0);
  world.pairs.clear();
  world.ensemble = {.thermostat = Thermostat::langevin, .dt = 0.01, .temperature = 1.5, .friction = 2};
  Engine engine(bench().programs, world, ForceVariant{});
  run_burst(engine, bench().queue, {100});
  double mean = 0;
  for (int k = 0; k < 64; ++k) {
    run_burst(engine, bench().queue, {60, true});
    mean += *observe_blocking(engine, bench().queue).pressure / 64;
  }
  // From one sample to the next, the correlation of velocities is e^(−1.2), that of their squares 0.09.
  const double ideal = 64 * 1.5 / world.box.volume(), error = std::sqrt(2 / (3 * 64 * 64.0) * 1.2);
  EXPECT_NEAR(mean / ideal, 1, 4 * error);
}

// Period of a pendulum of length 1 in a field of 1 with the amplitude 0.2: 2π (1 + 0.2²/16 + …).
TEST(ParticleConstraints, SwingAPendulum) {
  World world = empty_world(2);
  world.particles.mass[0] = 0;
  world.particles.position[1] = {std::sin(0.2), -std::cos(0.2), 0};
  world.constraints = {{0, 1, 1}};
  world.groups = {
      {{.name = "weight", .members = 1, .snippet = "energy += mass1 * position1.y; force1.y -= mass1;"}, {0, 1}, {}}};
  const double period = 2 * std::numbers::pi * (1 + 0.04 / 16 + 11.0 / 3072 * 0.0016);
  world.ensemble.dt = period / 1000;
  Engine engine(bench().programs, world, ForceVariant{.precision = Precision::double_});
  run_burst(engine, bench().queue, {3000});
  const Snapshot now = engine.snapshot_blocking(bench().queue);
  EXPECT_NEAR(now.position[1][0], std::sin(0.2), 2e-5);
  EXPECT_NEAR(now.velocity[1][0], 0, 2e-4);
  EXPECT_EQ(now.position[0], Vector{});
}

// Equipartition over the unconstrained degrees of freedom: (9 − 3)/2 kT for each molecule.
TEST(ParticleConstraints, LangevinHeatsOnlyUnconstrainedMotion) {
  World world = water(343, false);
  world.ensemble = {.thermostat = Thermostat::langevin, .dt = 0.02, .temperature = 1.5, .friction = 2};
  Engine engine(bench().programs, world, ForceVariant{});
  run_burst(engine, bench().queue, {200});
  double mean = 0;
  for (int k = 0; k < 16; ++k) {
    run_burst(engine, bench().queue, {60, true});
    mean += observe_blocking(engine, bench().queue).temperature / 16;
  }
  EXPECT_NEAR(mean / 1.5, 1, 4 * std::sqrt(2 / (16 * 6 * 343.0)) + 0.002);
}

TEST(ParticleMinimize, SaysThatParticlesOverlapAndPushesThemApart) {
  World world = fluid(343, 0.7, 0.1);
  world.particles.position[5] = world.particles.position[6];
  world.particles.position[100] = world.particles.position[101];
  world.particles.position[100][0] += 0.05;
  world.pairs.front().switch_from = 2;  // otherwise energy jumps when a pair crosses the cutoff
  Engine engine(bench().programs, world, ForceVariant{});
  const Minimized m = engine.minimize(bench().queue, 1, 2000);
  EXPECT_EQ(m.overlapping, 2u);
  EXPECT_EQ(m.closest, 0);
  EXPECT_LT(m.largest_force, 1);
  EXPECT_LT(m.after / 343, -4);
  EXPECT_LT(m.after, m.before);
}

// Two particles come to rest at the Lennard-Jones minimum, 2^(1/6) apart.
TEST(ParticleMinimize, FindsTheMinimum) {
  World world = empty_world(2);
  world.particles.position[1] = {1.5, 0.2, 0};
  world.pairs = {ready_pair_law("lennard-jones")};
  world.pairs.front().cutoff = 0;
  Engine engine(bench().programs, world, ForceVariant{.precision = Precision::double_});
  const Minimized m = engine.minimize(bench().queue, 1e-6, 2000);
  EXPECT_NEAR(m.after, -1, 1e-9);
  EXPECT_EQ(m.overlapping, 0u);
  const Snapshot now = engine.snapshot_blocking(bench().queue);
  EXPECT_NEAR(std::hypot(now.position[1][0] - now.position[0][0], now.position[1][1] - now.position[0][1]),
              std::pow(2, 1.0 / 6), 1e-6);
}

TEST(ParticleThermostat, BerendsenReachesItsTemperature) {
  World world = fluid(343, 0.7, 0.1);
  draw_velocities(world, 3);
  world.ensemble = {.thermostat = Thermostat::berendsen, .dt = 0.004, .temperature = 1.2, .relaxation = 0.1};
  Engine engine(bench().programs, world, ForceVariant{});
  run_burst(engine, bench().queue, {500});
  double mean = 0;
  for (int k = 0; k < 10; ++k) {
    run_burst(engine, bench().queue, {25, true});
    mean += observe_blocking(engine, bench().queue).temperature / 10;
  }
  EXPECT_NEAR(mean, 1.2, 0.06);  // not canonical: the fluctuations are below √(2/3N)
}
