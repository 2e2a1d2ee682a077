/// The kernels of particles at sizes that fill neither blocks nor groups, for Oclgrind to watch.
#include <gtest/gtest.h>

#include "base/files/path.hpp"
#include "particles_worlds.hpp"
#include "scenes/particles/model/compiled_laws.hpp"

using namespace orrery;
using namespace orrery::particles;

namespace {

/// Computes forces and a few steps, measures and publishes.
void take_steps(const World& world, const ForceVariant& variant) {
  const Device device(choose_device(enumerate_devices(), ""));
  if (variant.precision != Precision::single && !device.info().fp64) GTEST_SKIP() << "no fp64";
  ProgramLibrary programs(device, kernel_folder(), {});
  Queue queue(device);
  Engine engine(programs, world, std::make_shared<LawKernels>(programs, world, variant));
  run_burst(engine, queue, {2, true});
  engine.observe(queue, true);
  const cl::Buffer surface = device.buffer(engine.size() * published_bytes);
  engine.publish(queue, surface);
  queue.finish();
  const Observables o = engine.observables();
  EXPECT_EQ(o.broken, 0);
  EXPECT_EQ(o.step, 2);
  const auto published = queue.read_blocking<cl_float4>(surface, 2 * engine.size());
  EXPECT_FLOAT_EQ(published.front().s[3], static_cast<float>(world.kinds.front().radius));
}

World small(std::size_t particles) {
  World world = fluid(particles, 0.3, 0.1);
  world.pairs.front().cutoff = std::min(1.5, (*world.box.lengths)[0] / 2);
  world.ensemble.dt = 0.001;
  return world;
}

}  // namespace

TEST(particles_step, ItemsBuildListsTogether) { take_steps(small(37), {.work_group = 8, .lanes = 1, .split = 1}); }
TEST(particles_step, SeveralBlocksShareTheirLists) {
  take_steps(small(70), {.work_group = 64, .lanes = 1, .split = 2});
}
TEST(particles_step, LanesShareAParticle) { take_steps(small(37), {.work_group = 3, .lanes = 4, .split = 1}); }
TEST(particles_step, AllPairsLeaveOutExclusions) {
  World world = small(37);
  world.box.lengths.reset();
  world.pairs.front().cutoff = 0;
  world.bonds = {{0, 1}, {1, 36}, {5, 33}};
  take_steps(world, {.work_group = 64, .lanes = 1, .split = 2});
}
TEST(particles_step, GroupsMoveInOpenSpaceByLangevin) {
  World world = small(37);
  world.box.lengths.reset();
  world.bonds = {{0, 1}, {1, 2}, {2, 3}};
  world.groups = {{ready_group_law("harmonic-bond"), {0, 1, 1, 2, 2, 3}, {}},
                  {ready_group_law("harmonic-angle"), {0, 1, 2}, {}}};
  world.ensemble.thermostat = Thermostat::langevin;
  take_steps(world, {.work_group = 8, .lanes = 1, .split = 1, .fixed_atomics = false});
}
TEST(particles_step, ConstraintsHoldUnderBerendsen) {
  World world = small(33);
  world.pairs.clear();
  const auto& at = world.particles.position;
  world.particles.position[1] = {at[0][0] + 1, at[0][1], at[0][2]};
  world.particles.position[2] = {at[0][0], at[0][1] + 1, at[0][2]};
  world.particles.position[4] = {at[3][0] + 1, at[3][1], at[3][2]};
  world.constraints = {{0, 1, 1}, {0, 2, 1}, {1, 2, std::sqrt(2)}, {3, 4, 1}};
  world.ensemble.thermostat = Thermostat::berendsen;
  draw_velocities(world, 1);
  take_steps(world, {.precision = Precision::mixed, .work_group = 8, .lanes = 1, .split = 1, .fixed_atomics = false});
}
