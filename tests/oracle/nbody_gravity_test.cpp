/// The gravitational constant and test particles on the device, against exact statements.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "bench.hpp"
#include "scenes/nbody/bodies/initial.hpp"
#include "scenes/nbody/model/force_error_sample.hpp"
#include "scenes/nbody/model/publisher.hpp"
#include "scenes/nbody/model/simulation.hpp"
#include "scenes/nbody/tuning/device_group.hpp"

using namespace orrery;

namespace {

NbodySettings settings_of(const std::string& precision, const std::string& forces = "gather") {
  NbodySettings settings;
  settings.precision = precision;
  settings.forces = forces;
  settings.softening = 0.05;
  return settings;
}

NbodySimulation simulation_of(const Bodies& bodies, const NbodySettings& settings) {
  ProgramLibrary* programs = &bench().programs;
  return nbody_simulation({&programs, 1}, settings, bodies);
}

std::vector<std::string> precisions() {
  std::vector<std::string> all{"single", "mixed"};
  if (bench().device.info().fp64) all.push_back("double");
  return all;
}

NbodyDiagnostics diagnosed(const NbodySimulation& simulation) {
  NbodyPublisher publisher(bench().programs, simulation.precision(), simulation.bodies());
  publisher.diagnose(bench().queue, simulation);
  bench().queue.finish();
  return publisher.diagnostics();
}

}  // namespace

// A power of two rounds nothing: the accelerations and the potential are exactly twice as large.
TEST(NbodyGravity, ScalesTheFieldOfEverySum) {
  const Bodies bodies = make_bodies("plummer", 1500, 0, 3);
  for (const std::string& precision : precisions())
    for (const char* forces : {"gather", "pairs", "tree"}) {
      if (precision == "double" && std::string(forces) == "tree") continue;
      NbodySimulation simulation = simulation_of(bodies, settings_of(precision, forces));
      run_burst(simulation, bench().queue, {0, 0, 0.05});
      const auto natural = accelerations_of(bench().queue, simulation);
      const NbodyDiagnostics before = diagnosed(simulation);
      run_burst(simulation, bench().queue, {0, 0, 0.05, true, 2});
      const auto doubled = accelerations_of(bench().queue, simulation);
      for (std::size_t i = 0; i < natural.size(); ++i)
        for (std::size_t axis = 0; axis < 3; ++axis)
          ASSERT_EQ(doubled[i][axis], 2 * natural[i][axis]) << precision << " " << forces << " " << i;
      EXPECT_DOUBLE_EQ(diagnosed(simulation).potential, 2 * before.potential) << precision << " " << forces;
      EXPECT_EQ(diagnosed(simulation).kinetic, before.kinetic);
    }
}

TEST(NbodyGravity, MeasuredForceErrorsIncludeTheConstant) {
  const Bodies bodies = make_bodies("plummer", 2000, 0, 3);
  for (const double gravity : {1.0, 39.5, 6.6743e-20}) {
    NbodySimulation simulation = simulation_of(bodies, settings_of("single", "tree"));
    run_burst(simulation, bench().queue, {0, 0, 0.05, true, gravity});
    ForceErrorSample sample(bench().programs, simulation.precision(), simulation.bodies());
    sample.begin(1, {0.05, gravity});
    while (!sample.enqueue_slice(bench().queue, simulation, 1)) bench().queue.finish();
    bench().queue.finish();
    EXPECT_LT(sample.error().p99, 1e-3) << gravity;
  }
}

// After one year, two bodies an astronomical unit apart return to their places, with G = 4π² and a total mass of 1.
TEST(NbodyGravity, AKeplerPairReturnsAfterAYear) {
  constexpr double gravity = 4 * std::numbers::pi * std::numbers::pi;
  Bodies bodies = make_bodies("kepler:0.3", 0, 2, 1);
  for (Body& b : bodies) b.vy *= 2 * std::numbers::pi;
  for (const std::string& precision : precisions()) {
    NbodySettings settings = settings_of(precision);
    settings.integrator = "pefrl";
    NbodySimulation simulation = simulation_of(bodies, settings);
    run_burst(simulation, bench().queue, {0, 0, 0, true, gravity});
    const double energy = diagnosed(simulation).total();
    EXPECT_NEAR(energy, -gravity * 0.25 / 2, 1e-6 * gravity) << precision;  // −G·m·m/2a
    run_burst(simulation, bench().queue, {4000, 1.0 / 4000, 0, true, gravity});
    const Bodies after = bodies_of(bench().device, bench().queue, simulation);
    // In single precision each step rounds a position of 0.35 and a velocity of 4 to 24 bits.
    const double tolerance = precision == "double" ? 1e-9 : precision == "mixed" ? 2e-6 : 1e-3;
    EXPECT_NEAR(after[0].x, bodies[0].x, tolerance) << precision;
    EXPECT_NEAR(after[0].y, 0, 10 * tolerance) << precision;
    EXPECT_NEAR(diagnosed(simulation).total(), energy, tolerance * gravity) << precision;
  }
}

// With a mass too small to change any sum, all bodies are sources, summed in the same order.
TEST(NbodyTestParticles, HaveTheBitsOfTheFullSum) {
  if (!bench().device.info().fp64) GTEST_SKIP() << "no fp64";
  Bodies bodies = make_bodies("asteroid-belt", 3000, 0, 3), all_pull = bodies;
  all_pull.back().mass = 1e-300;
  NbodySimulation few = simulation_of(bodies, settings_of("double")),
                  full = simulation_of(all_pull, settings_of("double"));
  EXPECT_EQ(few.sources(), planet_names.size());
  EXPECT_EQ(full.sources(), bodies.size());
  for (NbodySimulation* each : {&few, &full}) run_burst(*each, bench().queue, {20, 0.01, 0});
  Bodies expected = bodies_of(bench().device, bench().queue, full);
  expected.back().mass = 0;
  EXPECT_EQ(bodies_of(bench().device, bench().queue, few), expected);
  few.begin_burst({1, 0.01, 0});
  full.begin_burst({1, 0.01, 0});
  EXPECT_EQ(few.burst_work() * 3000 / 10, full.burst_work());
}

TEST(NbodyTestParticles, AgreeWithEveryOtherSum) {
  const Bodies bodies = make_bodies("asteroid-belt", 2000, 0, 3);
  std::vector<std::vector<std::array<double, 3>>> fields;
  for (const char* forces : {"gather", "pairs", "tree"}) {
    NbodySimulation simulation = simulation_of(bodies, settings_of("single", forces));
    run_burst(simulation, bench().queue, {0, 0, 0.01});
    fields.push_back(accelerations_of(bench().queue, simulation));
  }
  const auto off = [&](std::size_t way, std::size_t i) {
    const auto &a = fields[way][i], &b = fields[0][i];
    return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]) / std::hypot(b[0], b[1], b[2]);
  };
  for (std::size_t i = 10; i < bodies.size(); ++i) {
    EXPECT_LT(off(1, i), 1e-5) << i;
    EXPECT_LT(off(2, i), 5e-3) << i;  // ten times the tree's error for 99 % of the bodies
  }
}
