/// The n-body kernels at sizes that do not fit their groups and tiles, for Oclgrind to watch.
#include <gtest/gtest.h>

#include <list>

#include "base/files/path.hpp"
#include "scenes/nbody/bodies/initial.hpp"
#include "scenes/nbody/checks/force_error_map.hpp"
#include "scenes/nbody/model/force_error_sample.hpp"
#include "scenes/nbody/model/publisher.hpp"
#include "scenes/nbody/model/simulation.hpp"

using namespace orrery;

namespace {

struct Variant {
  std::size_t bodies, work_group, lanes, tile;
  Precision precision = Precision::single;
  std::string_view integrator = "leapfrog";
  Forces forces = Forces::gather;
  TreeShape tree = {};
  double far = 0;  // distance of the first body
};

/// Takes two steps, in whole launches or cut into single groups, publishes and reduces.
void take_two_steps(const Variant& v, double slice) {
  const Device device(choose_device(enumerate_devices(), ""));
  if (v.precision == Precision::double_ && !device.info().fp64) GTEST_SKIP() << "no fp64";
  ProgramLibrary programs(device, kernel_folder(), {});
  Queue queue(device);
  Bodies bodies = make_bodies("plummer", static_cast<std::int64_t>(v.bodies), 0, 1);
  bodies.front().x += v.far;
  NbodyVariant variant{v.precision, &integrator_of(v.integrator), v.forces, v.work_group, v.lanes, v.tile};
  variant.tree = v.tree;
  variant.quadrupole = v.forces == Forces::tree;
  NbodyKernels kernels(programs, variant, v.bodies);
  // Occupies the addresses of the kernels' first launches, which have no bodies: see below.
  std::vector<cl::Buffer> kept;
  for (int k = 0; k < 4; ++k) kept.push_back(device.buffer(bytes_of_real4(Precision::double_)));
  NbodySimulation simulation(device, bodies, v.precision);
  simulation.use(std::move(kernels));
  // The error is held from the first step on, with eight remembered draws of all bodies.
  if (v.forces == Forces::tree)
    simulation.set_accuracy({.guard = 100, .error = 1e-6, .depth_error = 1e-6}, 1e-6,
                            std::vector<double>(TreeControl::remembered_draws * v.bodies, 1e-6));
  simulation.begin_burst({2, 0.01, 0.05});
  while (!simulation.enqueue_slice(queue, slice)) queue.finish();

  ForceErrorMap map(programs, v.precision, v.bodies);
  map.begin(queue, simulation, {0.05});
  for (; map.under_way(); queue.finish()) map.enqueue_slice(queue, slice);

  const cl::Buffer told = device.buffer(v.bodies * sizeof(cl_float)), boxes = device.buffer(bytes_of_cells());
  if (v.forces == Forces::tree) {
    simulation.measure_leaves(queue, told);
    simulation.count_interactions(queue, told);
    simulation.tree()->copy_boxes(queue, boxes);
    EXPECT_GE(queue.read_blocking<float>(told, v.bodies).back(), TreeShape().leaf);
  }

  NbodyPublisher publisher(programs, v.precision, v.bodies);
  const cl::Buffer surface = device.buffer(v.bodies * published_bytes);
  publisher.publish(queue, simulation, surface, true, map.errors());
  publisher.diagnose(queue, simulation, map.errors());
  queue.finish();
  // Oclgrind does not notice freed memory, and checks new buffers at its address by the former size. So both samples
  // stay alive.
  std::list<ForceErrorSample> samples;
  for (const Sums kind : {Sums::two_floats, Sums::doubles}) {
    if (kind == Sums::doubles ? !device.info().fp64 : v.precision == Precision::double_) continue;
    ForceErrorSample& sample = samples.emplace_back(programs, v.precision, v.bodies, kind);
    sample.begin(1, {0.05});
    while (!sample.enqueue_slice(queue, simulation, slice)) queue.finish();
    queue.finish();
    EXPECT_LT(sample.error().p99, 1e-4);
  }
  EXPECT_EQ(publisher.diagnostics().broken, 0);
  EXPECT_NEAR(publisher.diagnostics().mass, 1, 1e-5);
  const auto published = queue.read_blocking<cl_float4>(surface, 2 * v.bodies);
  EXPECT_FLOAT_EQ(published[v.bodies - 1].s[3], static_cast<float>(bodies.back().mass));
  EXPECT_LT(published.back().s[3], 1e-4);
}

/// Takes two steps in which bodies merge or bounce.
void touch(Contact contact, Precision precision, std::size_t count) {
  const Device device(choose_device(enumerate_devices(), ""));
  if (precision == Precision::double_ && !device.info().fp64) GTEST_SKIP() << "no fp64";
  ProgramLibrary programs(device, kernel_folder(), {});
  Queue queue(device);
  Bodies bodies = make_bodies("plummer", static_cast<std::int64_t>(count), 0, 1);
  bodies.back().mass = 0;
  NbodyVariant variant{precision, &default_integrator(), Forces::gather, 4, 1, 8};
  variant.contact = contact;
  NbodyKernels kernels(programs, variant, count);
  // See take_two_steps().
  std::vector<cl::Buffer> kept;
  for (int k = 0; k < 4; ++k) kept.push_back(device.buffer(bytes_of_real4(Precision::double_)));
  NbodySimulation simulation(device, bodies, precision);
  simulation.use(std::move(kernels));
  simulation.begin_burst({2, 0.01, 0.05, true, 1, {2, 0.5}});
  while (!simulation.enqueue_slice(queue, 1e9)) queue.finish();
  double mass = 0;
  std::size_t gone = 0;
  for (const Body& body : bodies_of(device, queue, simulation)) mass += body.mass, gone += is_gone(body) ? 1 : 0;
  EXPECT_NEAR(mass, 1 - 1.0 / static_cast<double>(count), 1e-5);
  EXPECT_EQ(gone > 0, contact == Contact::merge);
}

/// Takes two steps with individual time steps.
void take_own_steps(const Variant& v, double slice, double softening = 0.05) {
  const Device device(choose_device(enumerate_devices(), ""));
  if (v.precision == Precision::double_ && !device.info().fp64) GTEST_SKIP() << "no fp64";
  ProgramLibrary programs(device, kernel_folder(), {});
  Queue queue(device);
  const Bodies bodies = make_bodies("plummer", static_cast<std::int64_t>(v.bodies), 0, 1);
  NbodyVariant variant{v.precision, &default_integrator(), v.forces, v.work_group, v.lanes, v.tile};
  variant.tree = v.tree;
  variant.individual = true;
  NbodyKernels kernels(programs, variant, v.bodies);
  // See take_two_steps().
  std::vector<cl::Buffer> kept;
  for (int k = 0; k < 4; ++k) kept.push_back(device.buffer(bytes_of_real4(Precision::double_)));
  NbodySimulation simulation(device, bodies, v.precision);
  simulation.use(std::move(kernels));
  if (v.forces == Forces::tree) simulation.set_accuracy({.guard = 100, .error = 1e-6, .depth_error = 1e-6});
  Burst burst{2, 0.1, softening};
  burst.accuracy = 0.1;
  simulation.begin_burst(burst);
  while (!simulation.enqueue_slice(queue, slice)) queue.finish();
  const cl::Buffer levels = device.buffer(v.bodies * sizeof(cl_float));
  simulation.tell_levels(queue, levels);
  EXPECT_GE(queue.read_blocking<float>(levels, v.bodies).back(), 1);
  const NbodyBlockClock clock = simulation.block_clock(queue);
  EXPECT_EQ(clock.steps, 2U);
  EXPECT_GT(clock.evaluations, 2 * v.bodies);
}

constexpr double whole = 1e9, tiny = 1e-9;

}  // namespace

TEST(nbody_step, BodiesMayFillNoGroup) { take_two_steps({5, 4, 1, 4}, whole); }
TEST(nbody_step, OneBodyStaysAlone) { take_two_steps({1, 8, 1, 8}, whole); }
TEST(nbody_step, LanesLieBesideEachOther) { take_two_steps({19, 2, 4, 8}, whole); }
TEST(nbody_step, ATileMayBeNoMultipleOfTheGroup) { take_two_steps({13, 3, 1, 8}, whole); }
TEST(nbody_step, AStepMayBeCutIntoGroups) { take_two_steps({11, 2, 2, 4}, tiny); }
TEST(nbody_step, EverySmallGroupTakesOneBodyTooMany) {
  for (const std::size_t group : {1U, 2U, 3U, 5U, 6U, 7U, 16U}) take_two_steps({2 * group + 1, group, 1, group}, whole);
}
TEST(nbody_step, TheTutorialsIntegratorTakesSteps) {
  take_two_steps({9, 4, 2, 4, Precision::single, "tutorial"}, whole);
}
TEST(nbody_step, DoublesTakeSteps) { take_two_steps({7, 4, 2, 4, Precision::double_}, whole); }
TEST(nbody_step, MixedPrecisionTakesSteps) { take_two_steps({7, 4, 2, 4, Precision::mixed}, whole); }
TEST(nbody_step, YoshidasIntegratorTakesSteps) { take_two_steps({9, 4, 1, 4, Precision::single, "yoshida4"}, whole); }
TEST(nbody_step, MovesBodiesWithinTheirBuffer) { take_two_steps({9, 4, 1, 4, Precision::mixed, "pefrl"}, whole); }
TEST(tree_step, BodiesMayFillNoGroup) {
  take_two_steps({67, 16, 4, 0, Precision::single, "leapfrog", Forces::tree}, whole);
}
TEST(tree_step, LeavesMayFillNoGroup) {
  take_two_steps({67, 16, 8, 0, Precision::single, "leapfrog", Forces::tree, {16, 128, 64}}, whole);
}
TEST(tree_step, ABodyMayBeFarAway) {
  take_two_steps({67, 16, 4, 0, Precision::single, "leapfrog", Forces::tree, {}, 1e9}, whole);
}
TEST(nbody_step, PairsOfBodiesAttractEachOther) {
  take_two_steps({66, 64, 1, 0, Precision::single, "leapfrog", Forces::pairs}, whole);
}
TEST(nbody_step, PairsOfBodiesAttractEachOtherInDouble) {
  take_two_steps({70, 64, 2, 0, Precision::double_, "leapfrog", Forces::pairs}, whole);
}
TEST(nbody_own_steps, BodiesMayFillNoGroup) { take_own_steps({5, 4, 1, 4}, whole); }
TEST(nbody_own_steps, ALaunchMayBeCutIntoGroups) { take_own_steps({67, 2, 2, 4, Precision::mixed}, tiny); }
TEST(nbody_own_steps, NothingSoftens) { take_own_steps({13, 4, 1, 8, Precision::double_}, whole, 0); }
TEST(nbody_own_steps, NothingSoftensInSingle) { take_own_steps({13, 4, 1, 8}, whole, 0); }
TEST(tree_step, GroupsTakeTheirOwnSteps) {
  take_own_steps({200, 8, 4, 0, Precision::single, "leapfrog", Forces::tree, {16, 32, 64}}, whole);
}

TEST(nbody_contact, BodiesMerge) { touch(Contact::merge, Precision::single, 13); }
TEST(nbody_contact, BodiesMergeInMixedPrecision) { touch(Contact::merge, Precision::mixed, 70); }
TEST(nbody_contact, BodiesBounceInDouble) { touch(Contact::bounce, Precision::double_, 13); }
