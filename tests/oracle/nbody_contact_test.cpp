/// Bodies that touch, against closed forms, conserved quantities and a second implementation on the host.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "bench.hpp"
#include "scenes/nbody/model/publisher.hpp"
#include "scenes/nbody/tuning/tuning.hpp"

using namespace orrery;

namespace {

/// Mixed precision on devices without doubles.
const std::string two_floats = "two floats";

NbodySettings contact_settings(const std::string& contact, const std::string& precision) {
  NbodySettings settings;
  settings.contact = contact;
  settings.precision = precision == two_floats ? "mixed" : precision;
  settings.forces = "gather";
  return settings;
}

NbodySimulation contact_simulation(const Bodies& bodies, const NbodySettings& settings,
                                   const std::string& precision = {}) {
  const DeviceInfo& info = bench().device.info();
  NbodySimulation simulation(bench().device, bodies, precision_of(settings, info));
  const bool doubles = info.fp64 && precision != two_floats;
  simulation.use(NbodyKernels(bench().programs, nbody_variant(info, settings, bodies.size()), bodies.size(), doubles));
  return simulation;
}

Burst contact_burst(const NbodySettings& settings, std::int64_t steps) {
  return {steps, settings.dt, settings.softening, true, settings.gravity, touch_of(settings)};
}

Bodies run_contacts(NbodySimulation& simulation, const Burst& burst) {
  run_burst(simulation, bench().queue, burst);
  return bodies_of(bench().device, bench().queue, simulation);
}

bool lacks(const std::string& precision) { return precision == "double" && !bench().device.info().fp64; }

std::size_t gone_among(const Bodies& bodies) {
  return static_cast<std::size_t>(std::ranges::count_if(bodies, is_gone));
}

struct Conserved {
  double mass = 0, scale = 0;  // scale: of the momentum
  std::array<double, 3> momentum{}, moment{};
};
Conserved sums_of(const Bodies& bodies) {
  Conserved sums;
  for (const Body& b : bodies) {
    sums.mass += b.mass;
    sums.scale += b.mass * std::hypot(b.vx, b.vy, b.vz);
    const std::array<double, 3> v{b.vx, b.vy, b.vz}, x{b.x, b.y, b.z};
    for (std::size_t k = 0; k < 3; ++k) sums.momentum[k] += b.mass * v[k], sums.moment[k] += b.mass * x[k];
  }
  return sums;
}

/// Masses of `decades` powers of ten in a ball of radius 1, at random velocities.
Bodies swarm(std::size_t count, double decades, double speed) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> unit(0, 1);
  std::normal_distribution<double> normal(0, speed);
  Bodies bodies;
  while (bodies.size() < count) {
    const auto side = [&] { return 2 * unit(random) - 1; };
    Body b{std::pow(10, -decades * unit(random)) / static_cast<double>(count), side(), side(), side()};
    if (std::hypot(b.x, b.y, b.z) > 1) continue;
    b.vx = normal(random), b.vy = normal(random), b.vz = normal(random);
    bodies.push_back(b);
  }
  return bodies;
}

// ---- the second implementation: all pairs, in double, without cells

using Triple = std::array<double, 3>;
Triple place(const Body& b) { return {b.x, b.y, b.z}; }
Triple velocity(const Body& b) { return {b.vx, b.vy, b.vz}; }
Triple minus(const Triple& a, const Triple& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
double dot(const Triple& a, const Triple& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

struct Encounter {
  double distance2;
  std::size_t light, heavy;
};

std::vector<Encounter> encounters_of(const Bodies& bodies, const NbodySettings& s) {
  std::vector<Encounter> all;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    std::optional<Encounter> nearest;
    for (std::size_t j = 0; j < bodies.size(); ++j) {
      const Body &own = bodies[i], &other = bodies[j];
      if (i == j || is_gone(own) || is_gone(other) || !(other.mass > 0)) continue;
      if (other.mass < own.mass || (other.mass == own.mass && j > i)) continue;
      const Triple d = minus(place(other), place(own)), v = minus(velocity(other), velocity(own));
      if (std::sqrt(dot(d, d)) > s.radius * (std::cbrt(own.mass) + std::cbrt(other.mass))) continue;
      if (s.contact == "bounce" && dot(d, v) >= 0) continue;
      if (!nearest || dot(d, d) < nearest->distance2) nearest = Encounter{dot(d, d), i, j};
    }
    if (nearest) all.push_back(*nearest);
  }
  return all;
}

void meet(Body& light, Body& heavy, const NbodySettings& s) {
  const double mass = light.mass + heavy.mass;
  const Triple d = minus(place(heavy), place(light)), v = minus(velocity(heavy), velocity(light));
  if (s.contact == "bounce") {
    const double rate = (1 + s.restitution) * dot(v, d) / dot(d, d) / mass;
    light.vx += heavy.mass * rate * d[0], light.vy += heavy.mass * rate * d[1], light.vz += heavy.mass * rate * d[2];
    heavy.vx -= light.mass * rate * d[0], heavy.vy -= light.mass * rate * d[1], heavy.vz -= light.mass * rate * d[2];
    return;
  }
  for (double Body::*of : {&Body::x, &Body::y, &Body::z, &Body::vx, &Body::vy, &Body::vz})
    heavy.*of = (light.mass * light.*of + heavy.mass * heavy.*of) / mass;
  heavy.mass = mass;
  light = {-0.0, heavy.x, heavy.y, heavy.z};
}

/// Returns the number of contacts.
std::size_t let_touch(Bodies& bodies, const NbodySettings& s) {
  const std::vector<Encounter> all = encounters_of(bodies, s);
  std::size_t count = 0;
  for (const Encounter& own : all) {
    const bool closest = std::ranges::all_of(all, [&](const Encounter& other) {
      const bool shares =
          other.light == own.light || other.light == own.heavy || other.heavy == own.light || other.heavy == own.heavy;
      return !shares || other.distance2 > own.distance2 || other.light == own.light;
    });
    if (closest) meet(bodies[own.light], bodies[own.heavy], s), ++count;
  }
  return count;
}

void kick(Bodies& bodies, const NbodySettings& s) {
  std::vector<Triple> pull(bodies.size());
  for (std::size_t i = 0; i < bodies.size(); ++i)
    for (const Body& other : bodies) {
      const Triple d = minus(place(other), place(bodies[i]));
      const double r2 = dot(d, d) + s.softening * s.softening, by = s.gravity * other.mass / (r2 * std::sqrt(r2));
      for (std::size_t k = 0; k < 3; ++k) pull[i][k] += by * d[k];
    }
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    Body& b = bodies[i];
    if (is_gone(b)) continue;
    b.vx += s.dt / 2 * pull[i][0], b.vy += s.dt / 2 * pull[i][1], b.vz += s.dt / 2 * pull[i][2];
  }
}

std::size_t leapfrog(Bodies& bodies, const NbodySettings& s) {
  kick(bodies, s);
  for (Body& b : bodies) b.x += s.dt * b.vx, b.y += s.dt * b.vy, b.z += s.dt * b.vz;
  const std::size_t count = let_touch(bodies, s);
  kick(bodies, s);
  return count;
}

double largest_difference(const Bodies& a, const Bodies& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (double Body::*of : {&Body::x, &Body::y, &Body::z, &Body::vx, &Body::vy, &Body::vz})
      largest = std::max(largest, std::abs(a[i].*of - b[i].*of));
  return largest;
}

/// The unit of rounding of single precision, or of the wider numbers.
double epsilon_of(const std::string& precision) { return precision == "single" ? 0x1p-23 : 0x1p-45; }

}  // namespace

class NbodyContact : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(All, NbodyContact, testing::Values("single", "mixed", "two floats", "double"));

// Masses m and M meet on a line at u and U, and the first one goes on at u' = (m·u + M·U − M·e·(u − U)) / (m + M).
TEST_P(NbodyContact, AHeadOnBounceLeavesTheRestitutionOfTheSpeed) {
  if (lacks(GetParam())) GTEST_SKIP() << "no fp64";
  for (const double e : {1.0, 0.5, 0.0}) {
    NbodySettings s = contact_settings("bounce", GetParam());
    s.gravity = 0, s.dt = 0.125, s.restitution = e, s.radius = 0.3;
    constexpr double light = 1, heavy = 8, u = 2, U = -1;  // radii 0.3 and 0.6
    const Bodies start{{light, -2, 0, 0, u, 0, 0}, {heavy, 1, 0, 0, U, 0, 0}};
    NbodySimulation simulation = contact_simulation(start, s, GetParam());
    const Bodies end = run_contacts(simulation, contact_burst(s, 16));
    const double mean = (light * u + heavy * U) / (light + heavy), tolerance = 4 * epsilon_of(GetParam());
    EXPECT_NEAR(end[0].vx, mean - heavy * e * (u - U) / (light + heavy), tolerance * 4) << e;
    EXPECT_NEAR(end[1].vx, mean + light * e * (u - U) / (light + heavy), tolerance * 4) << e;
    EXPECT_EQ(end[0].vy, 0);
    // They touch within 0.9: after five steps they are 3 − 5·3/8 = 1.125 apart, after six 0.75.
    EXPECT_NEAR(end[0].x, -2 + 0.75 * u + 1.25 * end[0].vx, 16 * tolerance) << e;
  }
}

TEST_P(NbodyContact, TwoBodiesMergeWhereTheirCentreOfMassIs) {
  if (lacks(GetParam())) GTEST_SKIP() << "no fp64";
  NbodySettings s = contact_settings("merge", GetParam());
  s.gravity = 0, s.dt = 0.125, s.radius = 0.3;
  const Bodies start{{1, -2, 0.125, 0, 2, 0, 0.5}, {8, 1, 0, 0, -1, 0.25, 0}, {1, 50, 0, 0, 0, 0, 0}};
  NbodySimulation simulation = contact_simulation(start, s, GetParam());
  const Bodies end = run_contacts(simulation, contact_burst(s, 16));
  const double tolerance = 16 * epsilon_of(GetParam());
  ASSERT_TRUE(is_gone(end[0]));
  EXPECT_EQ(end[1].mass, 9);
  EXPECT_NEAR(end[1].vx, -6.0 / 9, tolerance);
  EXPECT_NEAR(end[1].vy, 2.0 / 9, tolerance);
  EXPECT_NEAR(end[1].vz, 0.5 / 9, tolerance);
  EXPECT_NEAR(end[1].x, 6.0 / 9 - 2 * 6.0 / 9, tolerance) << "the centre of mass goes on";
  EXPECT_EQ(end[2], start[2]);
}

TEST_P(NbodyContact, MergersKeepMassMomentumAndTheCentreOfMass) {
  if (lacks(GetParam())) GTEST_SKIP() << "no fp64";
  NbodySettings s = contact_settings("merge", GetParam());
  s.gravity = 0, s.dt = 0.01, s.radius = 0.8;
  const Bodies start = swarm(1000, 3, 1);
  NbodySimulation simulation = contact_simulation(start, s, GetParam());
  const Bodies before = run_contacts(simulation, contact_burst(s, 0)),
               after = run_contacts(simulation, contact_burst(s, 60));
  const std::size_t gone = gone_among(after);
  EXPECT_GT(gone, 300U);
  EXPECT_LT(gone, 1000U);
  const Conserved a = sums_of(before), b = sums_of(after);
  // A merger rounds the mass once, the velocity a few times.
  const double rounding = GetParam() == "double" ? 0x1p-50 : 0x1p-23, moved = 8 * epsilon_of(GetParam());
  EXPECT_NEAR(b.mass, a.mass, rounding * a.mass * std::sqrt(static_cast<double>(gone)));
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(b.momentum[k], a.momentum[k], moved * a.scale);
    EXPECT_NEAR(b.moment[k], a.moment[k] + 0.6 * a.momentum[k], (moved + 8 * rounding) * a.mass);
  }
}

struct Meeting {
  std::string contact;
  double radius, decades;
};
class NbodyMeetings : public testing::TestWithParam<Meeting> {};
INSTANTIATE_TEST_SUITE_P(All, NbodyMeetings,
                         testing::Values(Meeting{"merge", 0.5, 0}, Meeting{"merge", 2, 9}, Meeting{"bounce", 0.4, 1.5}),
                         [](const auto& info) {
                           return info.param.contact + std::to_string(static_cast<int>(info.param.decades));
                         });

// A ball collapses. Each step starts from the device's bodies, so that no rounding grows.
TEST_P(NbodyMeetings, AreThoseOfAllPairsOnTheHost) {
  if (lacks("double")) GTEST_SKIP() << "no fp64";
  NbodySettings s = contact_settings(GetParam().contact, "double");
  s.dt = 0.02, s.softening = 0.05, s.radius = GetParam().radius, s.restitution = 0.7;
  Bodies bodies = swarm(500, GetParam().decades, 0.3);
  NbodySimulation simulation = contact_simulation(bodies, s);
  std::size_t contacts = 0;
  for (int step = 0; step < 80; ++step) {
    contacts += leapfrog(bodies, s);
    const Bodies computed = run_contacts(simulation, contact_burst(s, 1));
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      ASSERT_EQ(is_gone(computed[i]), is_gone(bodies[i])) << "body " << i << ", step " << step;
      ASSERT_NEAR(computed[i].mass, bodies[i].mass, 1e-15) << "body " << i << ", step " << step;
    }
    ASSERT_LT(largest_difference(computed, bodies), 1e-11) << step;
    bodies = computed;
  }
  EXPECT_GT(contacts, 200U);
}

TEST_P(NbodyContact, DependsOnNoBurstAndNoWorkGroup) {
  if (lacks(GetParam())) GTEST_SKIP() << "no fp64";
  for (const std::string contact : {"merge", "bounce"}) {
    NbodySettings s = contact_settings(contact, GetParam());
    s.radius = 0.4;
    const Bodies start = swarm(777, 2, 0.3);
    NbodySimulation whole = contact_simulation(start, s, GetParam());
    const Bodies expected = run_contacts(whole, contact_burst(s, 30));
    EXPECT_TRUE(contact == "bounce" || gone_among(expected) > 100);
    s.work_group = 3;
    NbodySimulation cut = contact_simulation(start, s, GetParam());
    for (const std::int64_t steps : {1, 7, 13}) run_contacts(cut, contact_burst(s, steps));
    EXPECT_EQ(run_contacts(cut, contact_burst(s, 9)), expected);
  }
}

// Headless runs continue from exact states, windows from reloaded downloads.
TEST_P(NbodyContact, ContinuesFromAStateWithTheSameBits) {
  if (lacks(GetParam())) GTEST_SKIP() << "no fp64";
  NbodySettings s = contact_settings("merge", GetParam());
  s.radius = 0.4;
  Bodies start = swarm(900, 2, 0.3);
  for (std::size_t i = 600; i < start.size(); ++i) start[i].mass = 0;
  NbodySimulation first = contact_simulation(start, s, GetParam());
  run_contacts(first, contact_burst(s, 20));
  NbodyDownload download(bench().device, bench().queue, start.size(), first.precision());
  download.begin(bench().queue, first);
  bench().queue.finish();
  const NbodyExact exact = first.exact(bench().queue);
  const Bodies expected = run_contacts(first, contact_burst(s, 20));
  EXPECT_GT(gone_among(expected), gone_among(download.bodies()));

  EXPECT_EQ(count_of(exact, first.precision()).sources, first.sources());
  NbodySimulation resumed = contact_simulation(start, s, GetParam());
  resumed.restore(exact);
  EXPECT_EQ(resumed.sources(), first.sources());
  EXPECT_EQ(run_contacts(resumed, contact_burst(s, 20)), expected);

  NbodySimulation reloaded = contact_simulation(download.bodies(), s, GetParam());
  reloaded.set_rows(download.mixed_rows());
  EXPECT_EQ(reloaded.sources(), first.sources());
  EXPECT_EQ(run_contacts(reloaded, contact_burst(s, 20)), expected);
}

// Test particles fall onto bodies with mass, pass each other, and are listed behind the bodies with mass.
TEST_P(NbodyContact, TestParticlesMergeIntoMassOnly) {
  if (lacks(GetParam())) GTEST_SKIP() << "no fp64";
  NbodySettings s = contact_settings("merge", GetParam());
  s.gravity = 0, s.radius = 0.5;
  const Bodies start{{1, 0, 0, 0}, {0, 0.25, 0, 0}, {0, 5, 0, 0}, {0, 5, 0, 0}, {0, 5, 0.001, 0}};
  NbodySimulation simulation = contact_simulation(start, s, GetParam());
  const Bodies end = run_contacts(simulation, contact_burst(s, 3));
  EXPECT_EQ(end[0], start[0]);
  EXPECT_TRUE(is_gone(end[1]));
  EXPECT_EQ(gone_among(end), 1U);
  EXPECT_EQ(sources_of(end), 1U);
  EXPECT_EQ(sources_of({{1}, {-0.0, 0, 0, 0, -0.0}}), 2U) << "it had mass";
}

TEST(NbodyContacts, AreAfterTheLastDriftOfEachIntegrator) {
  for (const Integrator& integrator : integrators())
    for (const double direction : {1.0, -1.0}) {
      NbodySettings s = contact_settings("bounce", "single");
      s.integrator = integrator.name, s.gravity = 0, s.dt = direction * 0.125, s.restitution = 1, s.radius = 0.3;
      const Bodies start{{1, -2, 0, 0, 2 * direction, 0, 0}, {8, 1, 0, 0, -direction, 0, 0}};
      NbodySimulation simulation = contact_simulation(start, s);
      // Yoshida's middle substeps go backwards: a contact there would be a different one.
      const Bodies end = run_contacts(simulation, contact_burst(s, 7));
      EXPECT_NEAR(direction * end[0].vx, 2 - 2 * 8.0 / 9 * 3, 1e-5) << integrator.name;
      EXPECT_NEAR(end[0].x, -2 + 0.75 * 2 + 0.125 * direction * end[0].vx, 1e-5) << integrator.name;
    }
}

TEST(NbodyContacts, AreNotLaunchedWhereBodiesPass) {
  const auto launches = [](const std::string& contact, double radius) {
    NbodySettings s = contact_settings(contact, "single");
    s.radius = radius;
    NbodySimulation simulation = contact_simulation(swarm(100, 1, 0.3), s);
    Queue queue(bench().device);
    run_burst(simulation, queue, contact_burst(s, 2));
    return std::ranges::count(queue.launched(), std::string(nbody_launch::contact));
  };
  EXPECT_EQ(launches("pass", 1), 0);
  EXPECT_EQ(launches("merge", 0), 0);
  EXPECT_EQ(launches("merge", 1), 1);
}

TEST(NbodyContacts, AreReportedByTheDiagnostics) {
  NbodySettings s = contact_settings("merge", "single");
  s.radius = 0.4;
  const Bodies start = swarm(500, 1, 0.3);
  NbodySimulation simulation = contact_simulation(start, s);
  const Bodies end = run_contacts(simulation, contact_burst(s, 40));
  NbodyPublisher publisher(bench().programs, simulation.precision(), start.size());
  publisher.diagnose(bench().queue, simulation);
  bench().queue.finish();
  EXPECT_GT(gone_among(end), 100U);
  EXPECT_EQ(publisher.diagnostics().gone, static_cast<std::int64_t>(gone_among(end)));
  EXPECT_EQ(publisher.diagnostics().broken, 0);
}

// Without softening, merged bodies without mass stay at rest although others pass close by.
TEST(NbodyContacts, LeaveMergedBodiesAtRest) {
  for (const std::string forces : {"gather", "pairs", "tree"}) {
    NbodySettings s = contact_settings("merge", "mixed");
    s.forces = forces, s.softening = 0, s.radius = 0.4;
    NbodySimulation simulation = contact_simulation(swarm(500, 1, 0.3), s);
    if (forces == "tree") simulation.set_accuracy(tree_accuracy(s));
    const Bodies before = run_contacts(simulation, contact_burst(s, 40)),
                 after = run_contacts(simulation, contact_burst(s, 40));
    EXPECT_GT(gone_among(before), 100U) << forces;
    for (std::size_t i = 0; i < before.size(); ++i) EXPECT_TRUE(!is_gone(before[i]) || after[i] == before[i]) << forces;
  }
}

TEST(NbodyContacts, DoNotCountAsEnergyErrorsOfTheStep) {
  NbodyDiagnostics first, later;
  first.kinetic = 1, first.potential = -2, later = first, later.kinetic = 0.5, later.step = 1;
  StepWatch kept, taken;
  (void)kept.look(first, 0.01), (void)taken.look(first, 0.01, 0, default_integrator(), false);
  EXPECT_TRUE(kept.look(later, 0.01).has_value());
  EXPECT_FALSE(taken.look(later, 0.01, 0, default_integrator(), false).has_value());
}
