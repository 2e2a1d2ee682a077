/// What is published and observed of bodies, against the same formulas in double on the host.
#include <gtest/gtest.h>

#include <cmath>

#include "scenes/nbody/bodies/initial.hpp"
#include "scenes/nbody/model/observer.hpp"

using namespace orrery;

namespace {

constexpr double softening = 0.03;
constexpr double single_rounding = 1e-6;        // of a few operations on numbers about 1
constexpr double sum_rounding = 700 * 0x1p-24;  // of a sum of 700 floats of one sign, relative

struct Bench {
  Device device{choose_device(enumerate_devices(), "")};
  Queue queue{device};
  ProgramLibrary programs{device};
  Bodies bodies = make_bodies("galaxies", 700, 0, 5);
  NbodySimulation simulation{device, bodies, Precision::single};

  Bench() {
    const NbodyVariant variant = nbody_variant(device.info(), {}, bodies.size());
    simulation.use(NbodyKernels(programs, variant, bodies.size()));
    run_burst(simulation, queue, {0, 0, softening});
  }
};

struct Pull {
  std::size_t source = 0;
  double strength = 0, distance = 0;
};

double softened(double distance) { return std::hypot(distance, softening); }

double distance_of(const Body& a, const Body& b) { return std::hypot(a.x - b.x, a.y - b.y, a.z - b.z); }

Pull strongest_pull(const Bodies& bodies, std::size_t i) {
  Pull best;
  for (std::size_t j = 0; j < bodies.size(); ++j) {
    const double r = distance_of(bodies[i], bodies[j]);
    const double strength = bodies[j].mass * r / std::pow(softened(r), 3);
    if (j != i && strength > best.strength) best = {j, strength, r};
  }
  return best;
}

double potential_at(const Bodies& bodies, std::size_t i) {
  double sum = 0;
  for (std::size_t j = 0; j < bodies.size(); ++j)
    if (j != i) sum -= bodies[j].mass / softened(distance_of(bodies[i], bodies[j]));
  return sum;
}

}  // namespace

TEST(NbodyObserver, TellsABodyItsFieldAndWhatPullsItMost) {
  Bench bench;
  NbodyObserver observer(bench.programs, Precision::single, bench.bodies.size());
  for (const std::uint32_t index : {0U, 1U, 350U, 699U}) {
    observer.observe(bench.queue, bench.simulation, index, softening, true);
    bench.queue.finish();
    const NbodyObservation seen = observer.observation();
    const Body& body = bench.bodies[index];
    const Pull pull = strongest_pull(bench.bodies, index);
    EXPECT_EQ(seen.index, index);
    EXPECT_FLOAT_EQ(static_cast<float>(seen.body.x), static_cast<float>(body.x));
    EXPECT_FLOAT_EQ(static_cast<float>(seen.body.vz), static_cast<float>(body.vz));
    EXPECT_FLOAT_EQ(static_cast<float>(seen.body.mass), static_cast<float>(body.mass));
    const double potential = potential_at(bench.bodies, index);
    EXPECT_NEAR(seen.potential, potential, -sum_rounding * potential);
    ASSERT_TRUE(seen.strongest);
    EXPECT_EQ(*seen.strongest, pull.source);
    EXPECT_NEAR(seen.distance, pull.distance, single_rounding);
  }
}

TEST(NbodyObserver, ALoneBodyIsPulledByNobody) {
  Bench bench;
  const NbodySimulation alone(bench.device, {{1, 0, 0, 0, 0, 0, 0}}, Precision::single);
  NbodyObserver observer(bench.programs, Precision::single, 1);
  observer.observe(bench.queue, alone, 0, softening, true);
  bench.queue.finish();
  EXPECT_FALSE(observer.observation().strongest);
}

TEST(NbodyPublisher, WritesPlacesThenWhatColoursThem) {
  Bench bench;
  const std::size_t n = bench.bodies.size();
  NbodyPublisher publisher(bench.programs, Precision::single, n);
  const cl::Buffer surface = bench.device.buffer(n * published_bytes);
  publisher.publish(bench.queue, bench.simulation, surface);
  publisher.diagnose(bench.queue, bench.simulation);
  bench.queue.finish();
  const auto published = bench.queue.read_blocking<cl_float4>(surface, 2 * n);
  double depth = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const Body& body = bench.bodies[i];
    const double potential = potential_at(bench.bodies, i);
    EXPECT_FLOAT_EQ(published[i].s[0], static_cast<float>(body.x));
    EXPECT_FLOAT_EQ(published[i].s[3], static_cast<float>(body.mass));
    EXPECT_NEAR(published[n + i].s[0], std::hypot(body.vx, body.vy, body.vz), single_rounding);
    EXPECT_NEAR(published[n + i].s[2], -potential, -sum_rounding * potential);
    depth += std::log(-potential) / static_cast<double>(n);
  }
  EXPECT_NEAR(publisher.diagnostics().depth.mean, depth, sum_rounding);
}

TEST(NbodyPublisher, TellsNothingOfAFieldThatIsNotKnown) {
  Bench bench;
  const std::size_t n = bench.bodies.size();
  NbodyPublisher publisher(bench.programs, Precision::single, n);
  const cl::Buffer surface = bench.device.buffer(n * published_bytes);
  publisher.publish(bench.queue, bench.simulation, surface, false);
  const auto published = bench.queue.read_blocking<cl_float4>(surface, 2 * n);
  EXPECT_GT(published[n].s[0] + published[n + 1].s[0], 0) << "speeds are known from the start";
  for (std::size_t i = 0; i < n; ++i) {
    EXPECT_EQ(published[n + i].s[1], 0);
    EXPECT_EQ(published[n + i].s[2], 0);
  }
}
