/// A fixed time step that is too long for an encounter is reported once, with the place and the time.
#include <gtest/gtest.h>

#include <cmath>

#include "bench.hpp"
#include "oracle/orbit_reference.hpp"
#include "scenes/nbody/bodies/initial.hpp"
#include "scenes/nbody/model/diagnostics.hpp"
#include "scenes/nbody/model/publisher.hpp"
#include "scenes/nbody/tuning/tuning.hpp"

using namespace orrery;

namespace {

/// The rows with a report, of a leapfrog run without softening that is diagnosed every ten steps.
std::vector<NbodyDiagnostics> told_of(const Bodies& bodies, double dt, double until) {
  const DeviceInfo& info = bench().device.info();
  NbodySettings settings;
  settings.precision = info.fp64 ? "double" : "single";
  NbodySimulation simulation(bench().device, bodies, precision_of(settings, info));
  simulation.use(
      NbodyKernels(bench().programs, nbody_variant(info, settings, bodies.size()), bodies.size(), info.fp64));
  NbodyPublisher publisher(bench().programs, simulation.precision(), bodies.size());
  StepWatch watch;
  std::vector<NbodyDiagnostics> told;
  for (std::int64_t steps = 0; simulation.clock().time < until; steps = 10) {
    run_burst(simulation, bench().queue, {steps, dt, 0});
    publisher.diagnose(bench().queue, simulation);
    bench().queue.finish();
    const NbodyDiagnostics row = publisher.diagnostics();
    if (watch.look(row, dt)) told.push_back(row);
  }
  return told;
}

NbodyDiagnostics row_of(double total, double free_fall) {
  NbodyDiagnostics row;
  row.kinetic = 1;
  row.potential = total - 1;
  row.free_fall = free_fall;
  return row;
}

}  // namespace

// The first approach, at t = 1.879 to 0.01, lasts 5·10⁻⁴; the closest of all, at t = 15.830, 5·10⁻⁶.
TEST(NbodyStepWatch, ThePythagoreanEncountersAreReportedIfTheStepIsTooLong) {
  const Bodies start = make_bodies("pythagorean", 3, 3, 1);
  const auto first = told_of(start, 2e-4, 1.92);
  ASSERT_FALSE(first.empty());
  EXPECT_NEAR(first.front().time, 1.879, 0.01);
  const Bodies later = reference::orbit(start, 15.7);
  const auto closest = told_of(later, 1e-4, 0.2);
  ASSERT_FALSE(closest.empty());
  EXPECT_NEAR(15.7 + closest.front().time, 15.83, 0.01);
}

// Two bodies of mass 1 fall from rest at distance 2: the first contact is at the free-fall time.
TEST(NbodyStepWatch, TheFreeFallTimeIsThatOntoTheOtherMass) {
  const Bodies pair = {{1, -1, 0, 0, 0, 0, 0}, {1e-9, 1, 0, 0, 0, 0, 0}};
  NbodySettings settings;
  settings.precision = "single";
  const DeviceInfo& info = bench().device.info();
  NbodySimulation simulation(bench().device, pair, precision_of(settings, info));
  simulation.use(NbodyKernels(bench().programs, nbody_variant(info, settings, 2), 2, false));
  run_burst(simulation, bench().queue, {0, 0.01, 0});
  NbodyPublisher publisher(bench().programs, simulation.precision(), 2);
  publisher.diagnose(bench().queue, simulation);
  bench().queue.finish();
  EXPECT_NEAR(publisher.diagnostics().free_fall, std::acos(-1) / 2 * std::sqrt(8.0 / 2), 1e-4);
}

TEST(NbodyStepWatch, ReportsTheKnownCause) {
  const auto cause = [](double free_fall, const char* integrator) {
    StepWatch watch;
    (void)watch.look(row_of(-1, free_fall), 0.01, 0, integrator_of(integrator));
    const std::string told = watch.look(row_of(-1.04, 100), 0.01, 0, integrator_of(integrator)).value_or("");
    return told.substr(std::min(told.find(": ") + 2, told.size()));
  };
  EXPECT_TRUE(cause(0.05, "tutorial").starts_with("the time step of 0.01 is too long for an encounter of bodies"));
  EXPECT_EQ(cause(1, "tutorial"),
            "the integrator tutorial is of first order, and its error grows with time. Leapfrog takes as long per step "
            "and keeps the energy");
  EXPECT_EQ(cause(1, "yoshida4"),
            "the time step of 0.01 is at the limit of the integrator yoshida4, which is of order 4. Half the time step "
            "makes the error some 16 times smaller");
}

TEST(NbodyStepWatch, ReportsEachCrossingOnce) {
  StepWatch watch;
  EXPECT_FALSE(watch.look(row_of(-1, 1), 0.1));
  EXPECT_TRUE(watch.look(row_of(-1.02, 1), 0.1)) << "energy";
  EXPECT_FALSE(watch.look(row_of(-1.03, 1), 0.1));
  EXPECT_FALSE(watch.look(row_of(-1.008, 1), 0.1)) << "not back yet";
  EXPECT_FALSE(watch.look(row_of(-1.02, 1), 0.1));
  EXPECT_FALSE(watch.look(row_of(-1.001, 1), 0.1));
  EXPECT_TRUE(watch.look(row_of(-0.98, 1), 0.1));
  EXPECT_TRUE(watch.look(row_of(-0.98, 0.3), 0.1)) << "step";
  EXPECT_FALSE(watch.look(row_of(-0.98, 0.2), -0.1)) << "nor backwards";
}
