/// The n-body kernels against a plain all-pairs step in double, and against the conserved quantities of gravity.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "bench.hpp"
#include "scenes/nbody/bodies/initial.hpp"
#include "scenes/nbody/model/publisher.hpp"
#include "scenes/nbody/model/simulation.hpp"
#include "scenes/nbody/tuning/tuning.hpp"

using namespace orrery;

namespace {

struct Setup {
  Precision precision = Precision::single;
  std::string integrator = "leapfrog";
  std::size_t work_group = 0;
  std::string forces = "auto";
  std::string time_steps = "shared";
};

NbodyKernels kernels_of(const Setup& setup, std::size_t bodies) {
  NbodySettings settings;
  settings.precision = name_of(setup.precision);
  settings.integrator = setup.integrator;
  settings.work_group = static_cast<std::int64_t>(setup.work_group);
  settings.forces = setup.forces;
  settings.time_steps = setup.time_steps;
  return {bench().programs, nbody_variant(bench().device.info(), settings, bodies), bodies};
}

NbodySimulation simulation_of(const Bodies& bodies, const Setup& setup) {
  NbodySimulation simulation(bench().device, bodies, setup.precision);
  simulation.use(kernels_of(setup, bodies.size()));
  return simulation;
}

Bodies after(NbodySimulation& simulation, const Burst& burst) {
  run_burst(simulation, bench().queue, burst);
  return bodies_of(bench().device, bench().queue, simulation);
}

NbodyDiagnostics diagnosed(const NbodySimulation& simulation) {
  NbodyPublisher publisher(bench().programs, simulation.precision(), simulation.bodies());
  publisher.diagnose(bench().queue, simulation);
  bench().queue.finish();
  return publisher.diagnostics();
}

struct Field {
  double x = 0, y = 0, z = 0, potential = 0;
};

std::vector<Field> field_of(const Bodies& bodies, double softening) {
  std::vector<Field> field(bodies.size());
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    for (std::size_t j = 0; j < bodies.size(); ++j) {
      if (i == j) continue;
      const double dx = bodies[j].x - bodies[i].x, dy = bodies[j].y - bodies[i].y, dz = bodies[j].z - bodies[i].z;
      const double r = std::sqrt(dx * dx + dy * dy + dz * dz + softening * softening);
      if (r == 0) continue;
      const double pull = bodies[j].mass / (r * r * r);
      field[i].x += pull * dx;
      field[i].y += pull * dy;
      field[i].z += pull * dz;
      field[i].potential -= bodies[j].mass / r;
    }
  }
  return field;
}

void kick(Bodies& bodies, const std::vector<Field>& a, double dt) {
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    bodies[i].vx += a[i].x * dt;
    bodies[i].vy += a[i].y * dt;
    bodies[i].vz += a[i].z * dt;
  }
}

void drift(Bodies& bodies, double dt) {
  for (Body& b : bodies) {
    b.x += b.vx * dt;
    b.y += b.vy * dt;
    b.z += b.vz * dt;
  }
}

void reference_step(Bodies& bodies, const Integrator& integrator, double dt, double softening) {
  if (integrator.name == "tutorial") {
    const std::vector<Field> a = field_of(bodies, softening);
    drift(bodies, dt);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      bodies[i].x += a[i].x * dt * dt / 2;
      bodies[i].y += a[i].y * dt * dt / 2;
      bodies[i].z += a[i].z * dt * dt / 2;
    }
    kick(bodies, a, dt);
    return;
  }
  for (const Substep& substep : integrator.substeps()) {
    kick(bodies, field_of(bodies, softening), dt * substep.kick);
    drift(bodies, dt * substep.drift);
    kick(bodies, field_of(bodies, softening), dt * substep.kick_after);
  }
}

double largest_difference(const Bodies& a, const Bodies& b) {
  double largest = a.size() == b.size() ? 0 : INFINITY;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    for (const double Body::*of : {&Body::mass, &Body::x, &Body::y, &Body::z, &Body::vx, &Body::vy, &Body::vz}) {
      const double difference = std::abs(a[i].*of - b[i].*of);
      largest = difference <= largest ? largest : std::isnan(difference) ? INFINITY : difference;
    }
  return largest;
}

Bodies plummer(std::size_t count) { return make_bodies("plummer", static_cast<std::int64_t>(count), 0, 7); }

bool has_double() { return bench().device.info().fp64; }

/// Error bound of one step: rounding of the inputs, and of a sum of N terms, which grows like √N.
double step_tolerance(Precision precision, std::size_t bodies) {
  const double unit = precision == Precision::double_ ? 0x1p-53 : 0x1p-24;
  constexpr double largest_coordinate = 64;  // for a few thousand Plummer bodies without a cut-off
  return unit * (largest_coordinate + 16 * std::sqrt(static_cast<double>(bodies)));
}

}  // namespace

// Sums over pairs of bodies instead of gathering: blocks, parts, and gaps in the last ones.
TEST(NbodyPairs, AgreeWithThePlainLoop) {
  constexpr double dt = 0.01, softening = 0.05;
  for (const Precision precision : {Precision::single, Precision::double_})
    for (const std::size_t count : {1u, 300u, 1100u}) {
      if (precision == Precision::double_ && !has_double()) continue;
      const Bodies start = plummer(count);
      Bodies expected = start;
      for (int k = 0; k < 2; ++k) reference_step(expected, integrator_of("leapfrog"), dt, softening);
      NbodySimulation simulation = simulation_of(start, {precision, "leapfrog", 0, "pairs"});
      EXPECT_LE(largest_difference(after(simulation, {2, dt, softening}), expected),
                2 * step_tolerance(precision, count))
          << count;
      double potential = 0;
      const std::vector<Field> field = field_of(expected, softening);
      for (std::size_t i = 0; i < count; ++i) potential += expected[i].mass * field[i].potential / 2;
      EXPECT_NEAR(diagnosed(simulation).potential, potential,
                  static_cast<double>(count) * 0x1p-24 * std::abs(potential));
    }
}

TEST(NbodyPairs, AnyBurstAndSliceGivesTheSameBits) {
  const Bodies bodies = plummer(900);
  NbodySimulation one = simulation_of(bodies, {Precision::single, "leapfrog", 0, "pairs"});
  NbodySimulation three = simulation_of(bodies, {Precision::single, "leapfrog", 0, "pairs"});
  Bodies singly;
  for (int k = 0; k < 3; ++k) singly = after(one, {1, 0.01, 0.02});
  three.begin_burst({3, 0.01, 0.02});
  while (!three.enqueue_slice(bench().queue, 1e-4)) bench().queue.finish();
  EXPECT_EQ(bodies_of(bench().device, bench().queue, three), singly);
}

class NbodyStep : public testing::TestWithParam<std::tuple<int, int, std::string, Precision>> {};

TEST_P(NbodyStep, AgreesWithThePlainLoop) {
  const auto [count, work_group, integrator, precision] = GetParam();
  if (precision == Precision::double_ && !has_double()) GTEST_SKIP() << "no fp64";
  const Bodies start = plummer(static_cast<std::size_t>(count));
  constexpr double dt = 0.01, softening = 0.05;
  Bodies expected = start;
  constexpr int steps = 3;
  for (int k = 0; k < steps; ++k) reference_step(expected, integrator_of(integrator), dt, softening);
  NbodySimulation simulation = simulation_of(start, {precision, integrator, static_cast<std::size_t>(work_group)});
  const Bodies got = after(simulation, {steps, dt, softening});
  EXPECT_LE(largest_difference(got, expected), steps * step_tolerance(precision, start.size()));
}

INSTANTIATE_TEST_SUITE_P(Sizes, NbodyStep,
                         testing::Combine(testing::Values(1, 2, 17, 256, 257, 1000), testing::Values(7, 64),
                                          testing::Values("leapfrog", "tutorial"),
                                          testing::Values(Precision::single, Precision::mixed, Precision::double_)));

INSTANTIATE_TEST_SUITE_P(Integrators, NbodyStep,
                         testing::Combine(testing::Values(257), testing::Values(64),
                                          testing::Values("yoshida4", "pefrl", "yoshida6"),
                                          testing::Values(Precision::single, Precision::mixed, Precision::double_)));

// A body's own potential may exceed that of all others by many orders of magnitude, and others may be at its place.
TEST(NbodyField, PotentialLeavesTheBodyItselfOut) {
  const Bodies together{
      {1, 0, 0, 0, 0, 0, 0}, {1e-3, 0, 0, 0, 1, 0, 0}, {1e-3, 1e-5, 0, 0, 1, 0, 0}, {2, 1, 0, 0, 0, 0, 0}};
  const Bodies pair{{0.5, 1, 0, 0, 0, 0.5, 0}, {0.5, -1, 0, 0, 0, -0.5, 0}};
  struct {
    Bodies bodies;
    std::vector<double> softenings;
  } const cases[] = {{plummer(300), {0.1, 20, 2e4}},
                     {make_bodies("ring", 2000, 0, 7), {0.02, 1e-3, 1e-8, 0}},
                     {together, {0.5, 0.05}},
                     {pair, {1e-3, 1e-8, 1e-14, 0}}};
  for (const Precision precision : {Precision::single, Precision::mixed, Precision::double_})
    for (const char* forces : {"gather", "pairs"})
      for (const auto& [bodies, softenings] : cases)
        for (const double softening : softenings) {
          if (precision == Precision::double_ && !has_double()) continue;
          NbodySimulation simulation = simulation_of(bodies, {precision, "leapfrog", 0, forces});
          run_burst(simulation, bench().queue, {0, 0, softening});
          double expected = 0;
          const std::vector<Field> field = field_of(bodies, softening);
          for (std::size_t i = 0; i < bodies.size(); ++i) expected += bodies[i].mass * field[i].potential / 2;
          const double roundings = 16 + static_cast<double>(bodies.size());
          EXPECT_NEAR(diagnosed(simulation).potential, expected, roundings * 0x1p-24 * std::abs(expected))
              << forces << ", " << bodies.size() << " bodies, softening " << softening;
        }
}

TEST(NbodyField, CoincidentBodiesWithoutSofteningStayFinite) {
  const Bodies bodies{{1, 0, 0, 0, 0, 0, 0}, {1, 0, 0, 0, 0, 0, 0}, {1, 1, 0, 0, 0, 0, 0}};
  NbodySimulation simulation = simulation_of(bodies, {});
  const Bodies got = after(simulation, {1, 0.5, 0});
  // Two coincident bodies with total mass 2 pull from distance 1; only the third body pulls each of them.
  EXPECT_NEAR(got[2].x, 1 - 0.5 * 0.5 * 2 / 2, 1e-6);
  EXPECT_NEAR(got[0].x, 0.5 * 0.5 * 1 / 2, 1e-6);
  EXPECT_EQ(diagnosed(simulation).broken, 0);
}

TEST(NbodyBurst, AnyBurstGivesTheSameBits) {
  const Bodies bodies = plummer(777);
  for (const Integrator& row : integrators()) {
    const std::string integrator(row.name);
    NbodySimulation one = simulation_of(bodies, {Precision::single, integrator, 0});
    NbodySimulation six = simulation_of(bodies, {Precision::single, integrator, 0});
    Bodies singly;
    for (int k = 0; k < 6; ++k) singly = after(one, {1, 0.01, 0.02});
    EXPECT_EQ(after(six, {6, 0.01, 0.02}), singly);
    EXPECT_EQ(one.clock().step, six.clock().step);
  }
}

TEST(NbodyBurst, AnyWorkGroupGivesTheSameBits) {
  const Bodies bodies = plummer(777);
  NbodySimulation automatic = simulation_of(bodies, {});
  const Bodies expected = after(automatic, {3, 0.01, 0.02});
  for (const std::size_t work_group : {1u, 5u, 32u, 300u, 512u}) {
    if (work_group > automatic.kernels().limits.kernel_maximum) continue;
    NbodySimulation other = simulation_of(bodies, {Precision::single, "leapfrog", work_group});
    EXPECT_EQ(after(other, {3, 0.01, 0.02}), expected) << work_group;
  }
}

TEST(NbodyBurst, ANewWorkGroupBetweenBurstsKeepsTheTrajectory) {
  const Bodies bodies = plummer(500);
  NbodySimulation same = simulation_of(bodies, {});
  NbodySimulation changed = simulation_of(bodies, {});
  const Bodies expected = after(same, {4, 0.01, 0.02});
  run_burst(changed, bench().queue, {2, 0.01, 0.02});
  changed.use(kernels_of({Precision::single, "leapfrog", 8}, 500));
  EXPECT_EQ(after(changed, {2, 0.01, 0.02}), expected);
}

TEST(NbodyBurst, AnySlicesGiveTheSameBits) {
  const Bodies bodies = plummer(3000);
  NbodySimulation whole = simulation_of(bodies, {Precision::single, "leapfrog", 8});
  NbodySimulation cut = simulation_of(bodies, {Precision::single, "leapfrog", 8});
  const Bodies expected = after(whole, {4, 0.01, 0.02});
  cut.begin_burst({4, 0.01, 0.02});
  int slices = 1;
  for (; !cut.enqueue_slice(bench().queue, 1e-4); ++slices) {
    EXPECT_LT(cut.burst_progress(), 1);
    bench().queue.finish();
  }
  bench().queue.finish();
  // These bodies do not fill a GPU, so that slices are cut only between its launches.
  EXPECT_GT(slices, bench().device.info().device_class == DeviceClass::cpu ? 10 : 4);
  EXPECT_EQ(cut.burst_progress(), 1);
  EXPECT_EQ(bodies_of(bench().device, bench().queue, cut), expected);
}

// Thousands of substeps with a few bodies each: a slice ends although its interactions take no time.
TEST(NbodyBurst, AnySubstepsFillASlice) {
  constexpr double budget = 5e-3;
  NbodySimulation simulation = simulation_of(plummer(300), {.forces = "gather", .time_steps = "individual"});
  simulation.begin_burst({.steps = 1, .dt = 0.5, .softening = 1e-3, .accuracy = 1e-3});
  int filled = 0;
  for (int slice = 0; slice < 40; ++slice, bench().queue.finish()) {
    ASSERT_FALSE(simulation.enqueue_slice(bench().queue, budget));
    filled += simulation.slice_seconds() > 0.7 * budget ? 1 : 0;  // others wait for the clock
    EXPECT_LT(simulation.slice_seconds(), 4 * budget);
  }
  EXPECT_GT(filled, 10);
}

TEST(NbodyConservation, MomentumStaysAtZero) {
  NbodySimulation simulation = simulation_of(plummer(2000), {});
  run_burst(simulation, bench().queue, {50, 0.01, 0.05});
  const NbodyDiagnostics end = diagnosed(simulation);
  // Each kick rounds each body's momentum m·v by half a unit in the last place, at random; v stays below 4.
  const double kicks = 100, bodies = 2000;
  const double tolerance = 8 * std::sqrt(kicks * bodies) * (4 * 0x1p-24) / bodies;
  for (const double component : end.momentum) EXPECT_NEAR(component, 0, tolerance);
}

/// The change of the energy over a time of 1.
double energy_change(const std::string& integrator, std::int64_t steps) {
  NbodySimulation simulation = simulation_of(plummer(256), {Precision::double_, integrator, 0});
  run_burst(simulation, bench().queue, {0, 0, 0.1});
  const double before = diagnosed(simulation).total();
  run_burst(simulation, bench().queue, {steps, 1 / static_cast<double>(steps), 0.1});
  return std::abs(diagnosed(simulation).total() - before);
}

TEST(NbodyConservation, LeapfrogKeepsEnergyToSecondOrder) {
  if (!has_double()) GTEST_SKIP() << "no fp64";
  const double coarse = energy_change("leapfrog", 50), fine = energy_change("leapfrog", 100);
  EXPECT_LT(coarse, 1e-3);
  EXPECT_GT(coarse / fine, 3);
  EXPECT_LT(coarse / fine, 5.5);
}

// More stages give a smaller error for the same number of force evaluations, as the papers state.
TEST(NbodyConservation, PefrlAndSixthOrderKeepEnergyBetterThanYoshida4AtTheSameCost) {
  if (!has_double()) GTEST_SKIP() << "no fp64";
  constexpr std::int64_t evaluations = 84 * 4;
  const auto change = [](const std::string& name) {
    return energy_change(name, evaluations / integrator_of(name).evaluations());
  };
  const double yoshida4 = change("yoshida4");
  EXPECT_LT(change("pefrl"), yoshida4 / 4);
  EXPECT_LT(change("yoshida6"), yoshida4 / 4);
}

TEST(NbodyConservation, AngularMomentumOfADiscStays) {
  NbodySimulation simulation = simulation_of(make_bodies("disc", 1500, 0, 3), {});
  run_burst(simulation, bench().queue, {0, 0, 0.03});
  const NbodyDiagnostics before = diagnosed(simulation);
  run_burst(simulation, bench().queue, {100, 0.005, 0.03});
  const NbodyDiagnostics after = diagnosed(simulation);
  EXPECT_GT(std::abs(before.angular_momentum[2]), 0.1);
  EXPECT_NEAR(after.angular_momentum[2], before.angular_momentum[2], 2e-5 * std::abs(before.angular_momentum[2]));
}

TEST(NbodyOrbit, FigureEightCloses) {
  if (!has_double()) GTEST_SKIP() << "no fp64";
  constexpr double period = 6.325914012651216;
  const Bodies start = make_bodies("figure-eight", 0, 3, 0);
  const auto miss = [&](std::int64_t steps) {
    NbodySimulation simulation = simulation_of(start, {Precision::double_, "leapfrog", 0});
    return largest_difference(after(simulation, {steps, period / static_cast<double>(steps), 0}), start);
  };
  const double coarse = miss(1000), fine = miss(4000);
  EXPECT_LT(fine, 1e-4);
  EXPECT_GT(coarse / fine, 12) << "second order: sixteenfold";
}

TEST(NbodyDiagnostics, AreThoseOfTheBodies) {
  const Bodies bodies = make_bodies("galaxies", 700, 0, 5);
  NbodySimulation simulation = simulation_of(bodies, {});
  run_burst(simulation, bench().queue, {0, 0, 0.03});
  const NbodyDiagnostics got = diagnosed(simulation);
  double kinetic = 0, mass = 0, lz = 0, speed = 0;
  for (const Body& b : bodies) {
    const double v2 = b.vx * b.vx + b.vy * b.vy + b.vz * b.vz;
    kinetic += b.mass * v2 / 2;
    mass += b.mass;
    lz += b.mass * (b.x * b.vy - b.y * b.vx);
    speed += std::log(v2) / 2;
  }
  constexpr double input_rounding = 8 * 0x1p-24;  // the bodies are floats on the device
  EXPECT_NEAR(got.kinetic, kinetic, input_rounding * kinetic);
  EXPECT_NEAR(got.mass, mass, input_rounding * mass);
  EXPECT_NEAR(got.angular_momentum[2], lz, input_rounding * 4);
  EXPECT_NEAR(got.speed.mean, speed / 700, 1e-6);
  EXPECT_EQ(got.broken, 0);
}

// Two-float sums, used by devices without doubles, against sums in double.
TEST(NbodyDiagnostics, KeepTheirDigitsWithoutDoubles) {
  if (!has_double()) GTEST_SKIP() << "no fp64 to compare with";
  NbodySimulation simulation = simulation_of(make_bodies("plummer", 5000, 0, 9), {});
  run_burst(simulation, bench().queue, {0, 0, 0.05});
  const NbodyDiagnostics expected = diagnosed(simulation);
  NbodyPublisher publisher(bench().programs, Precision::single, simulation.bodies(), Sums::two_floats);
  publisher.diagnose(bench().queue, simulation);
  bench().queue.finish();
  const NbodyDiagnostics got = publisher.diagnostics();
  constexpr double digits = 1e-10;  // 5000 additions, each with an error of about 2^-46
  EXPECT_NEAR(got.kinetic, expected.kinetic, digits);
  EXPECT_NEAR(got.potential, expected.potential, digits);
  EXPECT_NEAR(got.angular_momentum[1], expected.angular_momentum[1], digits);
  EXPECT_NEAR(got.mass, expected.mass, digits);
}
