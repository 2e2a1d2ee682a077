/// Backups of running simulations on the host.
#include "scene/backups.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "base/clock.hpp"
#include "scenes/nbody/window/running.hpp"
#include "scenes/particles/files/world_file.hpp"
#include "scenes/particles/window/running.hpp"

namespace orrery {
namespace {

class BackupsOfBodies : public testing::Test {
 protected:
  void begin(const NbodySimulation& simulation) {
    backups.begin(NbodyBackupSource{device, queue, simulation}, now_seconds());
  }
  Backup<NbodyState> arrived() {
    for (const double began = now_seconds(); now_seconds() - began < 60;) {
      if (auto backup = backups.poll()) return *backup;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return {};
  }

  Device device{choose_device(enumerate_devices(), "")};
  Queue queue{device};
  Backups<NbodyBackupSource> backups;
};

// Numbers that a float holds exactly.
Bodies many(std::size_t count) {
  Bodies bodies(count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto x = static_cast<double>(i);
    bodies[i] = {1, x, x + 0.5, -x, 2 * x, 0.25, -0.125};
  }
  return bodies;
}

TEST_F(BackupsOfBodies, ABackupOfManyBodiesHoldsThemAtTheirMoment) {
  const Bodies bodies = many(400'000);
  const NbodySimulation simulation(device, bodies, Precision::single, {7, 0.75});
  EXPECT_TRUE(backups.due(0));
  begin(simulation);
  EXPECT_FALSE(backups.due(1e9)) << "one at a time";
  const Backup<NbodyState> backup = arrived();
  ASSERT_NE(backup.state, nullptr);
  EXPECT_EQ(backup.state->bodies, bodies);
  EXPECT_EQ(backup.state->clock.step, 7);
  EXPECT_EQ(backup.not_finite, 0U);
  EXPECT_FALSE(backups.due(now_seconds())) << "not at once again";
  EXPECT_TRUE(backups.due(now_seconds() + backups.interval()));
}

TEST_F(BackupsOfBodies, ABackupThatWasReadBeforeTheDeviceFailedIsNotLost) {
  const NbodySimulation simulation(device, many(1000), Precision::mixed, {3, 0.5});
  begin(simulation);
  queue.finish();
  const auto backup = backups.rescue();
  ASSERT_TRUE(backup);
  EXPECT_EQ(backup->state->bodies, many(1000));
  EXPECT_FALSE(backups.rescue()) << "once";
}

TEST_F(BackupsOfBodies, BodiesThatAreNotFiniteAreCounted) {
  Bodies bodies = many(100);
  bodies[5].x = bodies[9].vz = INFINITY;
  bodies[9].y = NAN;
  const NbodySimulation simulation(device, bodies, Precision::double_);
  begin(simulation);
  EXPECT_EQ(arrived().not_finite, 2U);
}

TEST_F(BackupsOfBodies, AForgottenBackupDoesNotArriveAndTheNextOneDoes) {
  const NbodySimulation old(device, many(1000), Precision::single, {1, 0}),
      present(device, many(500), Precision::single, {2, 0});
  begin(old);
  backups.forget();
  queue.finish();
  while (backups.busy()) EXPECT_FALSE(backups.poll());
  begin(present);
  EXPECT_EQ(arrived().state->clock.step, 2);
}

TEST(BackupsOfParticles, AreTheSnapshotOfTheirMomentInEveryPrecision) {
  const Device device(choose_device(enumerate_devices(), ""));
  Queue queue(device);
  ProgramLibrary programs(device);
  const std::string text =
      "[[fill]]\nshape = \"list\"\npositions = [[0, 0, 0], [1, 0.25, -2], [0, 3, 0.1]]\n"
      "velocities = [[0.1, 0, 0], [0, -0.2, 0.3], [0, 0, 0]]\n";
  const auto world = std::make_shared<const particles::World>(particles::parse_world(text, "test"));
  for (const std::string precision : {"single", "mixed"}) {
    ParticlesSettings settings;
    settings.precision = precision;
    PreparedParticles prepared = prepare_particles(programs, {settings, world, {}, {}, laws_of(*world)});
    Backups<ParticlesBackupSource> backups;
    const EditedLaws laws = laws_of(*world);
    backups.begin(ParticlesBackupSource{device, queue, prepared, laws}, now_seconds());
    queue.finish();
    const auto backup = backups.rescue();
    ASSERT_TRUE(backup);
    EXPECT_EQ(backup->not_finite, 0U);
    EXPECT_EQ(backup->state->moment, prepared.engine->snapshot_blocking(queue));
    EXPECT_EQ(backup->state->moment.position.size(), 3U);
  }
}

}  // namespace
}  // namespace orrery
