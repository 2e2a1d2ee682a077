/// The field of the tree against sums over all bodies in long double, also for unfavourable distributions of bodies.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "base/statistics.hpp"
#include "bench.hpp"
#include "scenes/nbody/bodies/initial.hpp"
#include "scenes/nbody/checks/field_check.hpp"
#include "scenes/nbody/model/publisher.hpp"
#include "scenes/nbody/tuning/device_group.hpp"

using namespace orrery;

namespace {

using Placing = Body (*)(std::mt19937_64&, std::size_t);

double uniform(std::mt19937_64& random) { return std::uniform_real_distribution<double>(-1, 1)(random); }

Bodies placed(std::size_t count, Placing place) {
  std::mt19937_64 random(7);
  Bodies bodies;
  for (std::size_t i = 0; i < count; ++i) bodies.push_back(place(random, i));
  return bodies;
}

// Masses differ by a factor of four: equal ones would hide mix-ups.
double mass(std::size_t i) { return 1e-3 * (1 + 0.5 * static_cast<double>(i % 7)); }

Body in_cube(std::mt19937_64& r, std::size_t i) { return {mass(i), uniform(r), uniform(r), uniform(r), 0, 0, 0}; }
Body on_line(std::mt19937_64& r, std::size_t i) { return {mass(i), uniform(r), 0.25, -3, 0, 0, 0}; }
Body in_two_clusters(std::mt19937_64& r, std::size_t i) {
  return {mass(i), uniform(r) + (i % 2 == 0 ? 1e6 : 0), uniform(r), uniform(r), 0, 0, 0};
}
Body in_threes(std::mt19937_64& r, std::size_t i) {
  static Body last;
  if (i % 3 == 0) last = in_cube(r, i);
  return {mass(i), last.x, last.y, last.z, 0, 0, 0};
}
Body beside_heavy_one(std::mt19937_64& r, std::size_t i) {
  return {i == 0 ? 1e6 : 1e-6, 100 * uniform(r), 100 * uniform(r), uniform(r), 0, 0, 0};
}
Body without_mass(std::mt19937_64& r, std::size_t i) {
  Body body = in_cube(r, i);
  if (i % 5 != 0) body.mass = 0;
  return body;
}
Body far_off(std::mt19937_64& r, std::size_t i) {
  Body body = in_cube(r, i);
  if (i % 100 == 0) body.x *= 1e4, body.y *= 1e4, body.z *= 1e4;
  return body;
}
Body beside_escapers(std::mt19937_64& r, std::size_t i) {
  Body body = in_cube(r, i);
  if (i % 500 == 0) body.x *= 1e12, body.y *= 1e12, body.z *= 1e12;
  return body;
}
Body in_nested_clusters(std::mt19937_64& r, std::size_t i) {
  Body body = in_cube(r, i);
  const double scale = std::pow(10, 4.0 * static_cast<double>(i % 3));
  body.x *= scale, body.y *= scale, body.z *= scale;
  return body;
}
Body of_any_mass(std::mt19937_64& r, std::size_t i) {
  Body body = in_cube(r, i);
  body.mass = std::pow(10, 6 * uniform(r));
  return body;
}
Body at_any_scale(std::mt19937_64& r, std::size_t i) {
  Body body = in_cube(r, i);
  const double scale = std::pow(10, 3 * uniform(r) - 3);
  body.x *= scale, body.y *= scale, body.z *= scale;
  return body;
}
Body in_units(std::mt19937_64& r, std::size_t i, double length) {
  const Body body = in_cube(r, i);
  return {body.mass, length * body.x, length * body.y, length * body.z, 0, 0, 0};
}
Body in_small_units(std::mt19937_64& r, std::size_t i) { return in_units(r, i, 1e12); }
Body in_large_units(std::mt19937_64& r, std::size_t i) { return in_units(r, i, 1e-5); }

Bodies as_floats(Bodies bodies) {
  for (Body& body : bodies)
    for (double Body::*of : {&Body::mass, &Body::x, &Body::y, &Body::z}) body.*of = static_cast<float>(body.*of);
  return bodies;
}

NbodySettings tree_settings(double error, double angle = 0) {
  NbodySettings settings;
  settings.forces = "tree";
  settings.force_error = error;
  settings.opening_angle = angle;
  return settings;
}

NbodySimulation simulation_of(const Bodies& bodies, const NbodySettings& settings) {
  ProgramLibrary* programs = &bench().programs;
  return nbody_simulation(std::span(&programs, 1), settings, bodies);
}

struct TrueField {
  std::array<long double, 3> pull{};
  long double potential = 0;
};

TrueField field_at(const Bodies& bodies, std::size_t i, long double softening) {
  TrueField field;
  for (std::size_t j = 0; j < bodies.size(); ++j) {
    const std::array<long double, 3> d{bodies[j].x - static_cast<long double>(bodies[i].x),
                                       bodies[j].y - static_cast<long double>(bodies[i].y),
                                       bodies[j].z - static_cast<long double>(bodies[i].z)};
    const long double r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + softening * softening;
    if (r2 == 0 || j == i) continue;
    const long double r = std::sqrt(r2);
    for (std::size_t k = 0; k < 3; ++k) field.pull[k] += bodies[j].mass * d[k] / (r2 * r);
    field.potential -= bodies[j].mass / r;
  }
  return field;
}

struct Errors {
  std::vector<double> pull, potential;  // relative errors of some bodies
};

// Errors of the stored field; `bodies` must be at the simulation's positions.
Errors errors_of(const Bodies& bodies, const NbodySimulation& simulation, const NbodySettings& settings,
                 std::size_t most = 400) {
  const auto found = bench().queue.read_blocking<cl_float4>(simulation.buffers().accelerations, bodies.size());
  Errors errors;
  const std::size_t step = std::max<std::size_t>(bodies.size() / most, 1);
  for (std::size_t i = 0; i < bodies.size(); i += step) {
    const TrueField field = field_at(bodies, i, settings.softening);
    long double off2 = 0, size2 = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      const long double off = field.pull[k] - static_cast<long double>(found[i].s[k]);
      off2 += off * off;
      size2 += field.pull[k] * field.pull[k];
    }
    errors.pull.push_back(static_cast<double>(size2 > 0 ? std::sqrt(off2 / size2) : std::sqrt(off2)));
    errors.potential.push_back(
        static_cast<double>(field.potential != 0 ? std::abs(found[i].s[3] / field.potential - 1) : 0.0L));
  }
  return errors;
}

Errors errors_of(const Bodies& bodies, const NbodySettings& settings) {
  NbodySimulation simulation = simulation_of(bodies, settings);
  run_burst(simulation, bench().queue, {0, 0, settings.softening});
  return errors_of(bodies, simulation, settings);
}

struct Case {
  const char* name;
  Placing place;  // empty: the program's initial condition of this name
  std::size_t bodies;
  double softening;
};
std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.name << c.bodies; }

class TreeForces : public testing::TestWithParam<Case> {};

}  // namespace

// The 99th percentile of a sample of 400 is within a third of the true one.
TEST_P(TreeForces, KeepTheRequestedError) {
  const Case& c = GetParam();
  const auto count = static_cast<std::int64_t>(c.bodies);
  const Bodies bodies = as_floats(c.place ? placed(c.bodies, c.place) : make_bodies(c.name, count, 0, 1));
  for (const double error : {1e-2, 3e-4}) {
    NbodySettings settings = tree_settings(error);
    settings.softening = c.softening;
    const Errors errors = errors_of(bodies, settings);
    EXPECT_LT(quantile(errors.pull, 0.99), 1.33 * error);
    EXPECT_LT(quantile(errors.potential, 0.99), error);  // neglected moments weigh less here
  }
}

INSTANTIATE_TEST_SUITE_P(
    Sets, TreeForces,
    testing::Values(Case{"cube", in_cube, 20011, 0}, Case{"cube", in_cube, 4097, 0.05},
                    Case{"line", on_line, 3001, 0.01}, Case{"clusters", in_two_clusters, 2999, 0.05},
                    Case{"threes", in_threes, 6003, 0}, Case{"heavy", beside_heavy_one, 5003, 0.01},
                    Case{"massless", without_mass, 5001, 0.02}, Case{"outliers", far_off, 8009, 0},
                    Case{"escapers", beside_escapers, 8009, 0}, Case{"nested", in_nested_clusters, 8009, 0},
                    Case{"plummer", nullptr, 10007, 0.02}, Case{"disc", nullptr, 7001, 0.08},
                    Case{"merger", nullptr, 6001, 0}, Case{"line", on_line, 513, 0.05},
                    Case{"any_mass", of_any_mass, 3003, 0}, Case{"any_scale", at_any_scale, 3003, 0},
                    Case{"small_units", in_small_units, 2049, 0}, Case{"large_units", in_large_units, 2047, 0}));

TEST(Tree, IsExactWhereNoNodeIsFarEnough) {
  const Bodies bodies = as_floats(placed(777, in_cube));
  NbodySettings settings = tree_settings(1e-3, 1e-3);
  settings.softening = 0.02;
  const Errors errors = errors_of(bodies, settings);
  EXPECT_LT(quantile(errors.pull, 1), 2e-5);
  EXPECT_LT(quantile(errors.potential, 1), 2e-6);
}

// Second moments take the leading error away: that of a monopole falls as the square of the angle, that of a
// quadrupole as its cube.
TEST(Tree, ConvergesAsTheMomentsPromise) {
  const Bodies bodies = as_floats(placed(20000, in_cube));
  const auto median_at = [&](const char* order, double angle) {
    NbodySettings settings = tree_settings(1e-3, angle);
    settings.order = order;
    return median(errors_of(bodies, settings).pull);
  };
  const double ratio = 1.2 / 0.4;
  EXPECT_GT(median_at("monopole", 1.2) / median_at("monopole", 0.4), std::pow(ratio, 1.6));
  EXPECT_GT(median_at("quadrupole", 1.2) / median_at("quadrupole", 0.4), std::pow(ratio, 2.6));
  EXPECT_LT(median_at("quadrupole", 0.5), median_at("monopole", 0.5) / 4);
}

TEST(Tree, KeepsItsErrorForAnyNumberOfBodies) {
  for (const std::size_t count : {1, 2, 3, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 257, 1023, 1025}) {
    const Errors errors = errors_of(as_floats(placed(count, in_cube)), tree_settings(1e-3));
    EXPECT_LT(quantile(errors.pull, 0.99), 1e-3) << count;
  }
}

TEST(Tree, LetsBodiesInOnePointRest) {
  for (const double softening : {0.0, 0.05}) {
    NbodySettings settings = tree_settings(1e-3);
    settings.softening = softening;
    const Bodies bodies(1000, Body{1e-3, 0.3, -0.7, 2, 0, 0, 0});
    NbodySimulation simulation = simulation_of(bodies, settings);
    run_burst(simulation, bench().queue, {3, 0.1, softening});
    for (const Body& body : bodies_of(bench().device, bench().queue, simulation)) {
      EXPECT_EQ(body.x, static_cast<float>(bodies[0].x));
      EXPECT_EQ(body.vx, 0);
    }
  }
}

TEST(Tree, LeavesMassesInOnePointFinite) {
  for (const char* forces : {"gather", "tree"})
    for (const std::size_t count : {1, 2, 1023}) {
      NbodySettings settings = tree_settings(1e-3);
      settings.forces = forces;
      settings.softening = 0;
      const Errors errors = errors_of(Bodies(count, Body{1e5, 1e-6, -2e-6, 0, 0, 0, 0}), settings);
      EXPECT_EQ(quantile(errors.pull, 1), 0) << forces << count;
    }
}

// The bits depend neither on the work-group nor on bursts and slices.
TEST(Tree, GivesTheSameBitsForAnyWorkGroupBurstAndSlices) {
  Bodies bodies = make_bodies("galaxies", 5000, 0, 3);
  bodies.front().x = 1e9;
  for (const char* precision : {"single", "mixed"}) {
    std::optional<Bodies> expected;
    for (const std::int64_t work_group : {0, 4, 16, 64}) {
      NbodySettings settings = tree_settings(1e-3);
      settings.precision = precision;
      settings.work_group = work_group;
      NbodySimulation simulation = simulation_of(bodies, settings);
      const auto burst = [&](std::int64_t steps) {
        run_burst(simulation, bench().queue, {steps, 0.01, 0.05}, {}, 1e-4);
      };
      for (const std::int64_t steps : {work_group == 4 ? 1 : 3, work_group == 4 ? 2 : 0}) burst(steps);
      const Bodies found = bodies_of(bench().device, bench().queue, simulation);
      if (!expected) expected = found;
      EXPECT_TRUE(found == *expected) << precision << ", work-group " << work_group;
    }
  }
}

// Uses the suggested time step and softening.
TEST(Tree, KeepsEnergyAsAllPairsDo) {
  struct Run {
    const char* initial;
    double dt, softening;
  };
  for (const Run& run : {Run{"galaxies", 0.01, 0.05}, Run{"plummer", 0.01, 0.02}, Run{"disc", 0.02, 0.08}}) {
    const Bodies bodies = make_bodies(run.initial, 3000, 0, 1);
    const auto drift = [&](const char* forces) {
      NbodySettings settings = tree_settings(5e-4);
      settings.forces = forces;
      settings.softening = run.softening;
      NbodySimulation simulation = simulation_of(bodies, settings);
      NbodyPublisher publisher(bench().programs, simulation.precision(), bodies.size());
      double first = 0, largest = 0;
      for (int burst = 0; burst <= 10; ++burst) {
        run_burst(simulation, bench().queue, {burst == 0 ? 0 : 25, run.dt, run.softening});
        publisher.diagnose(bench().queue, simulation);
        bench().queue.finish();
        const double energy = publisher.diagnostics().total();
        if (burst == 0) first = energy;
        largest = std::max(largest, std::abs(energy / first - 1));
      }
      return largest;
    };
    EXPECT_LT(drift("tree"), 1.5 * drift("gather")) << run.initial;
  }
}

// The reported error of the energy: a sample of 64 bodies estimates it within the reported deviation.
TEST(Tree, EstimatesTheErrorOfItsPotentialEnergy) {
  const Bodies bodies = as_floats(placed(6007, in_cube));
  NbodySettings settings = tree_settings(1e-2);
  settings.softening = 0.01;
  NbodySimulation simulation = simulation_of(bodies, settings);
  run_burst(simulation, bench().queue, {0, 0, settings.softening});
  const auto field = bench().queue.read_blocking<cl_float4>(simulation.buffers().accelerations, bodies.size());
  std::vector<double> potentials;
  long double truth = 0, found = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    potentials.push_back(static_cast<double>(field[i].s[3]));
    truth += bodies[i].mass * field_at(bodies, i, settings.softening).potential;
    found += static_cast<long double>(bodies[i].mass) * field[i].s[3];
  }
  const PotentialCheck check = check_potential(bodies, potentials, settings.softening);
  EXPECT_EQ(check.bodies, 64U);
  EXPECT_GT(check.deviation, 0);
  EXPECT_NEAR(check.error, static_cast<double>(found / truth - 1), 4 * check.deviation);
  EXPECT_LT(std::abs(check.error), 1e-3);
}

// With few bodies all of them are summed, and the error is exact.
TEST(PotentialCheck, FindsTheErrorOfAFew) {
  const Bodies bodies = placed(200, in_cube);
  for (const double softening : {0.0, 0.05})
    for (const double error : {0.0, 1e-3, -0.2}) {
      std::vector<double> potentials;
      for (std::size_t i = 0; i < bodies.size(); ++i)
        potentials.push_back(static_cast<double>(field_at(bodies, i, softening).potential) * (1 + error));
      const PotentialCheck check = check_potential(bodies, potentials, softening);
      EXPECT_EQ(check.bodies, 200U);
      EXPECT_EQ(check.deviation, 0);
      EXPECT_NEAR(check.error, error, 1e-13);
    }
}

TEST(Tree, RefusesDoublePrecision) {
  NbodySettings settings = tree_settings(1e-3);
  settings.precision = "double";
  if (!bench().device.info().fp64) GTEST_SKIP() << "no fp64";
  EXPECT_THROW(simulation_of(placed(10, in_cube), settings), Error);
}

// The bodies fill neither the last group nor the last leaf.
TEST(Tree, KeepsItsErrorWithAnyLeafGroupAndList) {
  const Bodies bodies = as_floats(make_bodies("plummer", 2311, 0, 3));
  for (const char* shape : {"leaf 16, group 32, list 64", "leaf 16, group 256, list 512", "leaf 64, group 64, list 64",
                            "leaf 64, group 128, order monopole", "leaf 32, group 32, unroll 1"}) {
    NbodySettings settings = tree_settings(1e-3);
    settings.variant = std::string("tree: ") + shape;
    NbodySimulation simulation = simulation_of(bodies, settings);
    run_burst(simulation, bench().queue, {0, 0, settings.softening});
    EXPECT_LT(quantile(errors_of(bodies, simulation, settings, bodies.size()).pull, 0.99), 1.33e-3) << shape;
  }
}

// List length and unrolling change neither the tree nor the order of sums; on a GPU, neither does the number of lanes.
TEST(Tree, HasTheSameBitsForAnyListAndUnrolling) {
  const bool gpu = bench().device.info().device_class == DeviceClass::gpu;
  std::vector<Bodies> ends;
  for (const char* how : {"list 64, unroll 1", "list 128, unroll 32", "list 512", gpu ? "lanes 4" : "unroll 4"}) {
    NbodySettings settings = tree_settings(1e-3);
    settings.variant = std::string("tree: ") + how;
    NbodySimulation simulation = simulation_of(make_bodies("plummer", 1700, 0, 5), settings);
    run_burst(simulation, bench().queue, {5, 0.01, settings.softening});
    ends.push_back(bodies_of(bench().device, bench().queue, simulation));
    EXPECT_TRUE(ends.back() == ends.front()) << how;
  }
}

TEST(Tree, RefusesShapesThatDoNotFit) {
  for (const char* shape : {"leaf 64, group 32", "leaf 8", "group 100", "list 32", "lanes 32", "tile 64"}) {
    NbodySettings settings = tree_settings(1e-3);
    settings.variant = std::string("tree: ") + shape;
    EXPECT_THROW(simulation_of(placed(200, in_cube), settings), Error) << shape;
  }
}

// The accuracy recovers from remembered errors that are eight times too small or too large; without the adjustment
// they would stay wrong.
TEST(Tree, HoldsItsErrorWhileBodiesMove) {
  for (const double wrong : {4e-3, 2e-5}) {
    NbodySettings settings = tree_settings(1e-3);
    settings.softening = 0.02;
    NbodySimulation simulation = simulation_of(make_bodies("plummer", 3000, 0, 3), settings);
    simulation.set_accuracy({.guard = 1.44, .error = wrong, .depth_error = 1}, settings.force_error,
                            std::vector<double>(TreeControl::remembered_draws * drawn_bodies, 8.5e-4));
    run_burst(simulation, bench().queue, {320, 0.01, settings.softening});
    const Bodies bodies = bodies_of(bench().device, bench().queue, simulation);
    const double error = quantile(errors_of(bodies, simulation, settings, bodies.size()).pull, 0.99);
    EXPECT_LT(error, 1.33e-3);
    EXPECT_GT(error, 0.4e-3);
  }
}

// The accuracy changes at fixed steps, not at the ends of bursts.
TEST(Tree, HasTheSameBitsForAnyBurstWhileItsErrorIsHeld) {
  for (const char* integrator : {"leapfrog", "yoshida4", "pefrl"}) {
    std::vector<Bodies> ends;
    for (const std::int64_t burst : {1, 13, 60}) {
      NbodySettings settings = tree_settings(1e-3);
      settings.integrator = integrator;
      NbodySimulation simulation = simulation_of(make_bodies("plummer", 700, 0, 5), settings);
      simulation.set_accuracy({.guard = 1.44, .error = 1e-4, .depth_error = 1}, settings.force_error,
                              std::vector<double>(TreeControl::remembered_draws * drawn_bodies, 4e-3));
      for (std::int64_t done = 0; done < 60; done += burst)
        run_burst(simulation, bench().queue, {std::min(burst, 60 - done), 0.01, settings.softening});
      ends.push_back(bodies_of(bench().device, bench().queue, simulation));
    }
    EXPECT_EQ(ends[0], ends[1]) << integrator;
    EXPECT_EQ(ends[0], ends[2]) << integrator;
  }
}

namespace {

struct Moment {
  Bodies bodies;
  NbodyClock clock;
  TreeMemory tree;
};

Moment moment_of(const NbodySimulation& simulation) {
  NbodyDownload download(bench().device, bench().queue, simulation.bodies(), simulation.precision());
  download.begin(bench().queue, simulation);
  bench().queue.finish();
  return {download.bodies(), download.clock(), parse_tree_memory(text_of(download.tree()), "tree-memory")};
}

// A simulation whose first accuracy has to change at once.
NbodySimulation begun_wrongly(const NbodySettings& settings) {
  NbodySimulation simulation = simulation_of(make_bodies("plummer", 3000, 0, 5), settings);
  TreeAccuracy accuracy = tree_accuracy(settings);
  accuracy.error = 1e-4;
  simulation.set_accuracy(accuracy, settings.force_error,
                          std::vector<double>(TreeControl::remembered_draws * drawn_bodies, 1e-3));
  return simulation;
}

NbodySimulation resumed(const NbodySettings& settings, const Moment& moment, const TreeMemory& memory) {
  ProgramLibrary* programs = &bench().programs;
  return nbody_simulation(std::span(&programs, 1), settings, moment.bodies, moment.clock, {}, memory);
}

struct Interrupted {
  const char* integrator;
  std::int64_t steps;
};

}  // namespace

// After 17 steps of leapfrog the accuracy has just changed, and the present field has the previous one.
TEST(Tree, ContinuesFromItsMemoryWithTheSameBits) {
  for (const Interrupted& run :
       {Interrupted{"leapfrog", 17}, Interrupted{"leapfrog", 25}, Interrupted{"yoshida4", 17}}) {
    NbodySettings settings = tree_settings(3e-3);
    settings.integrator = run.integrator;
    const Burst burst{run.steps, 0.01, settings.softening};
    NbodySimulation whole = begun_wrongly(settings), first = begun_wrongly(settings);
    run_burst(whole, bench().queue, {2 * run.steps, burst.dt, burst.softening});
    run_burst(first, bench().queue, burst);
    const Moment half = moment_of(first);
    ASSERT_FALSE(half.tree.of.empty());
    const bool just_changed = half.tree.accuracy != half.tree.field_accuracy;
    EXPECT_EQ(just_changed, run.steps == 17 && settings.integrator == "leapfrog");
    NbodySimulation second = resumed(settings, half, half.tree), forgetful = resumed(settings, half, {});
    EXPECT_EQ(moment_of(second).tree, half.tree) << "nothing has happened since";
    run_burst(second, bench().queue, burst);
    run_burst(forgetful, bench().queue, burst);
    const Moment expected = moment_of(whole), found = moment_of(second);
    EXPECT_TRUE(found.bodies == expected.bodies) << run.integrator << ", " << run.steps;
    EXPECT_EQ(found.tree, expected.tree) << run.integrator << ", " << run.steps;
    EXPECT_FALSE(moment_of(forgetful).bodies == expected.bodies) << "the test would not see it";
  }
}

// A pause asks for the potential, which is summed together with the field once more.
TEST(Tree, HasTheSameBitsWhereTheFieldIsEvaluatedAgain) {
  const NbodySettings settings = tree_settings(3e-3);
  NbodySimulation whole = begun_wrongly(settings), paused = begun_wrongly(settings);
  run_burst(whole, bench().queue, {34, 0.01, settings.softening, false});
  run_burst(paused, bench().queue, {17, 0.01, settings.softening, false});
  run_burst(paused, bench().queue, {0, 0.01, settings.softening, true});
  run_burst(paused, bench().queue, {17, 0.01, settings.softening, false});
  EXPECT_TRUE(moment_of(paused).bodies == moment_of(whole).bodies);
}

TEST(Tree, CalibratesIfItsMemoryIsForAnotherError) {
  NbodySettings settings = tree_settings(1e-3);
  const Moment moment = moment_of(begun_wrongly(settings));
  settings.force_error = 2e-3;
  ProgramLibrary* programs = &bench().programs;
  NbodySimulation other =
      nbody_simulation(std::span(&programs, 1), settings, moment.bodies, moment.clock, {}, moment.tree);
  EXPECT_NE(moment_of(other).tree.accuracy, moment.tree.accuracy);
  for (const char* wrong : {"x", "; 00000000", "tree; 0000000", "tree; 0000000g0000000g", "tree; 00000000"})
    EXPECT_THROW((void)parse_tree_memory(wrong, "tree-memory"), Error) << wrong;
}
