/// Samples and maps of the errors of accelerations against sums in long double on the host.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "base/statistics.hpp"
#include "bench.hpp"
#include "scenes/nbody/bodies/initial.hpp"
#include "scenes/nbody/checks/force_error_map.hpp"
#include "scenes/nbody/model/force_error_sample.hpp"
#include "scenes/nbody/tuning/tuning.hpp"

using namespace orrery;

namespace {

constexpr double softening = 0.05;

/// A simulation after two steps, so that positions use all digits of the precision.
NbodySimulation moved(const Bodies& bodies, std::string_view precision) {
  NbodySettings settings;
  settings.precision = precision;
  const DeviceInfo& info = bench().device.info();
  NbodySimulation simulation(bench().device, bodies, precision_of(settings, info));
  simulation.use(NbodyKernels(bench().programs, nbody_variant(info, settings, bodies.size()), bodies.size()));
  run_burst(simulation, bench().queue, {2, 0.01, softening});
  return simulation;
}

ForceErrorSample sampled(const NbodySimulation& simulation, Sums kind, std::uint64_t draw = 3, double budget = 1,
                         double epsilon = softening) {
  ForceErrorSample sample(bench().programs, simulation.precision(), simulation.bodies(), kind);
  sample.begin(draw, {epsilon});
  while (!sample.enqueue_slice(bench().queue, simulation, budget)) bench().queue.finish();
  bench().queue.finish();
  return sample;
}

struct Vector3 {
  long double x = 0, y = 0, z = 0;
  long double length() const { return std::sqrt(x * x + y * y + z * z); }
};

Vector3 acceleration(const Bodies& bodies, std::size_t i, long double epsilon = softening) {
  Vector3 a;
  for (std::size_t j = 0; j < bodies.size(); ++j) {
    const long double dx = static_cast<long double>(bodies[j].x) - bodies[i].x,
                      dy = static_cast<long double>(bodies[j].y) - bodies[i].y,
                      dz = static_cast<long double>(bodies[j].z) - bodies[i].z;
    const long double r2 = dx * dx + dy * dy + dz * dz + epsilon * epsilon;
    if (!(r2 > 0)) continue;
    const long double pull = bodies[j].mass / (r2 * std::sqrt(r2));
    a = {a.x + pull * dx, a.y + pull * dy, a.z + pull * dz};
  }
  return a;
}

/// Bound of the relative error of a sum of N terms with the unit of rounding u: terms cancel to no less than
/// 1 / `cancelled` of their sum of sizes, and coordinates differ by up to 64 softening lengths.
double tolerance(Sums kind, std::size_t bodies) {
  const double unit = kind == Sums::doubles ? 0x1p-53 : 0x1p-44;
  constexpr double cancelled = 16;
  return unit * cancelled * (8 + std::sqrt(static_cast<double>(bodies)));
}

std::vector<Sums> kinds() {
  if (!bench().device.info().fp64) return {Sums::two_floats};
  return {Sums::doubles, Sums::two_floats};
}

Bodies plummer(std::int64_t count) { return make_bodies("plummer", count, 0, 7); }

template <class Real4>
std::vector<Vector3> stored(const NbodySimulation& simulation) {
  std::vector<Vector3> result;
  for (const Real4& a : bench().queue.read_blocking<Real4>(simulation.buffers().accelerations, simulation.bodies()))
    result.push_back({a.s[0], a.s[1], a.s[2]});
  return result;
}

}  // namespace

TEST(ForceErrorSample, IsTheSumInLongDouble) {
  for (const std::string_view precision : {"single", "mixed", "double"})
    for (const Sums kind : kinds())
      for (const std::int64_t count : {2, 37, 1000}) {
        if (precision == "double" && kind != Sums::doubles) continue;
        const NbodySimulation simulation = moved(plummer(count), precision);
        const Bodies bodies = bodies_of(bench().device, bench().queue, simulation);
        for (const DrawnBody& drawn : sampled(simulation, kind).drawn()) {
          const Vector3 expected = acceleration(bodies, drawn.index);
          const Vector3 off{drawn.acceleration[0] - expected.x, drawn.acceleration[1] - expected.y,
                            drawn.acceleration[2] - expected.z};
          EXPECT_LE(static_cast<double>(off.length() / expected.length()), tolerance(kind, bodies.size()))
              << precision << ", body " << drawn.index << " of " << count;
        }
      }
}

TEST(ForceErrorSample, GivesTheErrorsOfTheStoredAccelerations) {
  const NbodySimulation simulation = moved(plummer(3000), "single");
  const Bodies bodies = bodies_of(bench().device, bench().queue, simulation);
  const std::vector<Vector3> got = stored<cl_float4>(simulation);
  for (const Sums kind : kinds()) {
    const ForceErrorSample sample = sampled(simulation, kind);
    std::vector<double> errors;
    for (const DrawnBody& drawn : sample.drawn()) {
      const Vector3 want = acceleration(bodies, drawn.index), &is = got[drawn.index];
      const Vector3 off{is.x - want.x, is.y - want.y, is.z - want.z};
      errors.push_back(static_cast<double>(off.length() / want.length()));
      EXPECT_NEAR(drawn.error, errors.back(), 1e-6 * errors.back() + tolerance(kind, bodies.size()));
    }
    EXPECT_NEAR(sample.error().median, median(errors), 1e-3 * median(errors));
    EXPECT_NEAR(sample.error().p99, quantile(errors, 0.99), 1e-3 * quantile(errors, 0.99));
    EXPECT_GT(sample.error().median, 1e-9) << "single precision is never that good";
    EXPECT_EQ(sample.error().clock.step, 2);
  }
}

TEST(ForceErrorSample, FindsAWrongAcceleration) {
  const NbodySimulation simulation = moved(plummer(100), "single");
  const double before = sampled(simulation, kinds().front()).error().p99;
  auto wrong = bench().queue.read_blocking<cl_float4>(simulation.buffers().accelerations, 100);
  for (cl_float4& a : wrong) a.s[1] *= 1.001F;
  bench().queue.write_blocking(simulation.buffers().accelerations, std::span<const cl_float4>(wrong));
  EXPECT_LT(before, 1e-5);
  EXPECT_GT(sampled(simulation, kinds().front()).error().p99, 1e-4);
  wrong[50].s[0] = NAN;
  bench().queue.write_blocking(simulation.buffers().accelerations, std::span<const cl_float4>(wrong));
  EXPECT_GT(sampled(simulation, kinds().front()).error().p99, 1);
}

TEST(ForceErrorSample, IsTheSameInSlices) {
  const NbodySimulation simulation = moved(plummer(2000), "single");
  const std::vector<DrawnBody> whole = sampled(simulation, kinds().front()).drawn();
  const std::vector<DrawnBody> cut = sampled(simulation, kinds().front(), 3, 1e-9).drawn();
  ASSERT_EQ(whole.size(), cut.size());
  for (std::size_t k = 0; k < whole.size(); ++k) EXPECT_EQ(whole[k].acceleration, cut[k].acceleration);
}

TEST(ForceErrorSample, BareGravityLeavesCoincidentBodiesOut) {
  const Bodies bodies{{1, 0, 0, 0, 0, 0, 0}, {1, 0, 0, 0, 0, 0, 0}, {2, 1, 0, 0, 0, 0, 0}};
  const NbodySimulation simulation(bench().device, bodies, Precision::single);
  for (const Sums kind : kinds()) {
    const std::vector<DrawnBody> drawn = sampled(simulation, kind, 0, 1, 0).drawn();
    ASSERT_EQ(drawn.size(), 3U);
    EXPECT_NEAR(drawn[0].acceleration[0], 2, 1e-12);
    EXPECT_NEAR(drawn[2].acceleration[0], -2, 1e-12);
  }
}

namespace {

std::vector<float> mapped(const NbodySimulation& simulation, ForceErrorMap& map, double budget) {
  map.begin(bench().queue, simulation, {softening});
  for (std::size_t done = 0; map.under_way(); bench().queue.finish()) {
    map.enqueue_slice(bench().queue, budget);
    EXPECT_GE(map.done(), done);
    done = map.done();
  }
  return bench().queue.read_blocking<float>(map.errors(), simulation.bodies());
}

}  // namespace

// 1,003 bodies are several batches and a remainder for any number of bodies per work-item.
TEST(ForceErrorMap, GivesTheErrorOfEveryAcceleration) {
  for (const std::string_view precision : {"single", "mixed"}) {
    const NbodySimulation simulation = moved(plummer(1003), precision);
    const Bodies bodies = bodies_of(bench().device, bench().queue, simulation);
    const std::vector<Vector3> got = stored<cl_float4>(simulation);
    ForceErrorMap map(bench().programs, simulation.precision(), simulation.bodies());
    EXPECT_EQ(map.errors()(), nullptr);
    for (const double budget : {1.0, 1e-9}) {
      const std::vector<float> errors = mapped(simulation, map, budget);
      for (std::size_t i = 0; i < bodies.size(); ++i) {
        const Vector3 want = acceleration(bodies, i), &is = got[i];
        const Vector3 off{is.x - want.x, is.y - want.y, is.z - want.z};
        const auto expected = static_cast<double>(off.length() / want.length());
        ASSERT_NEAR(errors[i], expected, 1e-6 * expected + tolerance(kinds().front(), bodies.size()))
            << precision << ", body " << i;
      }
    }
  }
}

// The bodies move on meanwhile; the errors are those of the moment at which the map began.
TEST(ForceErrorMap, DescribesTheMomentAtWhichItBegan) {
  NbodySimulation simulation = moved(plummer(500), "single");
  ForceErrorMap map(bench().programs, simulation.precision(), simulation.bodies());
  const std::vector<float> before = mapped(simulation, map, 1);
  map.begin(bench().queue, simulation, {softening});
  run_burst(simulation, bench().queue, {5, 0.01, softening});
  while (map.under_way()) map.enqueue_slice(bench().queue, 1);
  bench().queue.finish();
  EXPECT_EQ(bench().queue.read_blocking<float>(map.errors(), 500), before);
  EXPECT_NE(mapped(simulation, map, 1), before);
}

TEST(NbodyDraw, TakesAllOfAFewBodies) {
  for (std::uint32_t k = 0; k < 100; ++k) EXPECT_EQ(drawn_body(5, k, 100), k);
}

TEST(NbodyDraw, IsUniformAndNewEachTime) {
  constexpr std::size_t bodies = 1000, draws = 400;
  std::vector<int> often(10);
  std::set<std::uint32_t> all;
  for (std::uint64_t draw = 0; draw < draws; ++draw)
    for (std::uint32_t k = 0; k < drawn_bodies; ++k) {
      const std::uint32_t body = drawn_body(draw, k, bodies);
      ASSERT_LT(body, bodies);
      ++often[body / 100];
      all.insert(body);
    }
  EXPECT_EQ(all.size(), bodies);
  const double expected = draws * drawn_bodies / 10.0;
  for (const int count : often) EXPECT_NEAR(count, expected, 5 * std::sqrt(expected));
}
