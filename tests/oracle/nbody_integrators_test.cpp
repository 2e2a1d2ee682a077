/// The integrators' order, their reversibility and the digits of mixed precision, on known orbits.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "bench.hpp"
#include "scenes/nbody/model/simulation.hpp"
#include "scenes/nbody/tuning/tuning.hpp"

using namespace orrery;

namespace {

bool has_double() { return bench().device.info().fp64; }

struct Method {
  std::string integrator = "leapfrog";
  std::string precision = "double";
  bool doubles = true;  ///< mixed precision moves the bodies in doubles
};

NbodySimulation simulation_of(const Bodies& bodies, const Method& setup) {
  NbodySettings settings;
  settings.integrator = setup.integrator;
  settings.precision = setup.precision;
  const DeviceInfo& info = bench().device.info();
  NbodySimulation simulation(bench().device, bodies, precision_of(settings, info));
  const NbodyVariant variant = nbody_variant(info, settings, bodies.size());
  simulation.use(NbodyKernels(bench().programs, variant, bodies.size(), setup.doubles && info.fp64));
  return simulation;
}

Bodies run(NbodySimulation& simulation, std::int64_t steps, double dt) {
  run_burst(simulation, bench().queue, {steps, dt, 0});
  return bodies_of(bench().device, bench().queue, simulation);
}

double distance(const Bodies& a, const Bodies& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (double Body::*of : {&Body::x, &Body::y, &Body::z, &Body::vx, &Body::vy, &Body::vz})
      largest = std::max(largest, std::abs(a[i].*of - b[i].*of));
  return largest;
}

/// A pair of total mass 1 on an ellipse of semi-major axis 1 and eccentricity ½, at pericentre; its period is 2π.
Bodies kepler() {
  constexpr double eccentricity = 0.5, heavy = 0.75, light = 0.25;
  const double r = 1 - eccentricity, v = std::sqrt((1 + eccentricity) / (1 - eccentricity));
  return {{heavy, -light * r, 0, 0, 0, -light * v, 0}, {light, heavy * r, 0, 0, 0, heavy * v, 0}};
}
constexpr double kepler_period = 2 * std::numbers::pi;

/// Chenciner and Montgomery's figure-eight (Ann. Math. 152, 881, 2000); initial values and period of C. Simó.
Bodies figure_eight() {
  constexpr double x = 0.97000436, y = 0.24308753, vx = 0.93240737, vy = 0.86473146;
  return {{1, x, -y, 0, vx / 2, vy / 2, 0}, {1, -x, y, 0, vx / 2, vy / 2, 0}, {1, 0, 0, 0, -vx, -vy, 0}};
}
constexpr double figure_eight_period = 6.32591398;

/// The factor by which halving dt shrinks the error after half an orbit. The reference, in double, is off by 1e-13.
double gain(const Bodies& start, double period, const Method& method, std::int64_t steps) {
  const double time = period / 2;
  const auto end = [&](const Method& with, std::int64_t count) {
    NbodySimulation simulation = simulation_of(start, with);
    return run(simulation, count, time / static_cast<double>(count));
  };
  const Bodies exact = end({"yoshida6"}, 1000);
  return distance(end(method, steps), exact) / distance(end(method, 2 * steps), exact);
}

}  // namespace

struct Order {
  std::string integrator;
  std::int64_t steps;          ///< per half orbit in double: the error is far above rounding
  std::int64_t coarser_steps;  ///< in single and mixed precision
};

class NbodyOrder : public testing::TestWithParam<std::tuple<Order, std::string>> {};

// The tolerance covers the higher orders of the error in double, and also the rounding of the field in single.
TEST_P(NbodyOrder, IsThatOfTheIntegrator) {
  if (!has_double()) GTEST_SKIP() << "no fp64";
  const auto& [order, precision] = GetParam();
  const bool doubles = precision == "double";
  const double expected = std::pow(2, integrator_of(order.integrator).order);
  const double tolerance = (doubles ? 0.15 : 0.25) * expected;
  const std::int64_t steps = doubles ? order.steps : order.coarser_steps;
  EXPECT_NEAR(gain(kepler(), kepler_period, {order.integrator, precision}, steps), expected, tolerance);
  EXPECT_NEAR(gain(figure_eight(), figure_eight_period, {order.integrator, precision}, steps), expected, tolerance);
}

const std::vector<Order> orders{{"tutorial", 8000, 2000},
                                {"leapfrog", 1000, 100},
                                {"yoshida4", 800, 50},
                                {"pefrl", 200, 25},
                                {"yoshida6", 100, 18}};

INSTANTIATE_TEST_SUITE_P(All, NbodyOrder,
                         testing::Combine(testing::ValuesIn(orders), testing::Values("single", "mixed", "double")));

TEST(NbodyOrder, IsTestedForEachIntegrator) {
  for (const Integrator& integrator : integrators())
    EXPECT_EQ(std::ranges::count(orders, integrator.name, &Order::integrator), 1) << integrator.name;
}

// Half a period after the pericentre the pair is at its apocentre: (1 + e) apart, at the speed of Kepler's second law.
TEST(NbodyOrbit, KeplersPairIsWhereKeplerSays) {
  if (!has_double()) GTEST_SKIP() << "no fp64";
  NbodySimulation simulation = simulation_of(kepler(), {"yoshida4"});
  const Bodies end = run(simulation, 4000, kepler_period / 2 / 4000);
  EXPECT_NEAR(end[1].x - end[0].x, -1.5, 1e-9);
  EXPECT_NEAR(end[1].y - end[0].y, 0, 1e-9);
  EXPECT_NEAR(end[1].vy - end[0].vy, -std::sqrt(0.5 / 1.5), 1e-9);
}

TEST(NbodyReversal, LeapfrogInDoubleReturnsToItsStart) {
  if (!has_double()) GTEST_SKIP() << "no fp64";
  for (const Bodies& start : {kepler(), figure_eight()}) {
    NbodySimulation simulation = simulation_of(start, {});
    const Bodies away = run(simulation, 10000, 0.0007);
    EXPECT_GT(distance(away, start), 0.1);
    EXPECT_LT(distance(run(simulation, 10000, -0.0007), start), 1e-12);
  }
}

TEST(NbodyReversal, EveryIntegratorPlaysTimeBackwards) {
  if (!has_double()) GTEST_SKIP() << "no fp64";
  for (const Integrator& integrator : integrators()) {
    NbodySimulation simulation = simulation_of(kepler(), {std::string(integrator.name)});
    run(simulation, 2000, 0.0005);
    const double allowed = integrator.name == "tutorial" ? 2e-2 : 1e-9;
    EXPECT_LT(distance(run(simulation, 2000, -0.0005), kepler()), allowed) << integrator.name;
    EXPECT_NEAR(simulation.clock().time, 0, 1e-12);
  }
}

// Mixed precision has the rounding error of single forces, but adds steps to positions without loss.
TEST(NbodyMixed, KeepsTheDigitsThatSingleLoses) {
  if (!has_double()) GTEST_SKIP() << "no fp64";
  constexpr std::int64_t steps = 60000;
  constexpr double dt = kepler_period / 20000;
  const auto end = [&](const Method& setup) {
    NbodySimulation simulation = simulation_of(kepler(), setup);
    return run(simulation, steps, dt);
  };
  const Bodies exact = end({});
  const double single = distance(end({"leapfrog", "single"}), exact);
  const double mixed = distance(end({"leapfrog", "mixed"}), exact);
  EXPECT_LT(mixed, 2e-4);
  EXPECT_GT(single, 5 * mixed);
}

TEST(NbodyMixed, TwoFloatsAreAsGoodAsDoubles) {
  const auto end = [&](bool doubles) {
    NbodySimulation simulation = simulation_of(kepler(), {"leapfrog", "mixed", doubles});
    return run(simulation, 200, 0.001);
  };
  if (!has_double()) GTEST_SKIP() << "no fp64";
  EXPECT_LT(distance(end(false), end(true)), 200 * 0x1p-44);
}

TEST(NbodyMixed, AnyBurstGivesTheSameBits) {
  for (const std::string integrator : {"yoshida4", "pefrl"})
    for (const bool doubles : {true, false}) {
      NbodySimulation one = simulation_of(kepler(), {integrator, "mixed", doubles});
      NbodySimulation four = simulation_of(kepler(), {integrator, "mixed", doubles});
      Bodies singly;
      for (int k = 0; k < 4; ++k) singly = run(one, 1, 0.01);
      EXPECT_EQ(run(four, 4, 0.01), singly) << integrator;
    }
}
