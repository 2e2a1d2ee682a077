#include "scenes/nbody/window/copies.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "base/clock.hpp"
#include "scenes/nbody/bodies/initial.hpp"

namespace orrery {
namespace {

class NbodyCopiesTest : public testing::Test {
 protected:
  NbodyCopy arrived() {
    queue.flush();
    for (const double began = now_seconds(); now_seconds() - began < 60;) {
      if (auto copy = copies.poll()) return *copy;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return {};
  }

  Device device{choose_device(enumerate_devices(), "")};
  Queue queue{device};
  NbodyCopies copies;
};

// What a device computes with is a float; so is what was given here.
Bodies many(std::size_t count) {
  Bodies bodies(count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto x = static_cast<double>(i);
    bodies[i] = {1, x, x + 0.5, -x, 2 * x, 0.25, -0.125};
  }
  return bodies;
}

TEST_F(NbodyCopiesTest, ACopyOfManyBodiesIsThoseBodiesAtTheirMoment) {
  const Bodies bodies = many(400'000);
  const NbodySimulation simulation(device, bodies, Precision::single, {7, 0.75});
  EXPECT_TRUE(copies.due(0));
  copies.begin(device, queue, simulation, now_seconds());
  EXPECT_FALSE(copies.due(1e9)) << "one at a time";
  const NbodyCopy copy = arrived();
  ASSERT_NE(copy.state, nullptr);
  EXPECT_EQ(copy.state->bodies, bodies);
  EXPECT_EQ(copy.state->clock.step, 7);
  EXPECT_EQ(copy.not_finite, 0U);
  EXPECT_FALSE(copies.due(now_seconds())) << "not at once again";
  EXPECT_TRUE(copies.due(now_seconds() + copies.interval()));
}

TEST_F(NbodyCopiesTest, WhatHasBeenReadFromADeviceThatFailsIsNotLost) {
  const NbodySimulation simulation(device, many(1000), Precision::mixed, {3, 0.5});
  copies.begin(device, queue, simulation, now_seconds());
  queue.finish();
  const auto copy = copies.rescue();
  ASSERT_TRUE(copy);
  EXPECT_EQ(copy->state->bodies, many(1000));
  EXPECT_FALSE(copies.rescue()) << "once";
}

TEST_F(NbodyCopiesTest, BodiesThatAreNotFiniteAreCounted) {
  Bodies bodies = many(100);
  bodies[5].x = bodies[9].vz = INFINITY;
  bodies[9].y = NAN;
  const NbodySimulation simulation(device, bodies, Precision::double_);
  copies.begin(device, queue, simulation, now_seconds());
  EXPECT_EQ(arrived().not_finite, 2U);
}

TEST_F(NbodyCopiesTest, ACopyThatIsForgottenDoesNotArriveAndTheNextOneDoes) {
  const NbodySimulation old(device, many(1000), Precision::single, {1, 0}),
      present(device, many(500), Precision::single, {2, 0});
  copies.begin(device, queue, old, now_seconds());
  copies.forget();
  queue.finish();
  while (copies.busy()) EXPECT_FALSE(copies.poll());
  copies.begin(device, queue, present, now_seconds());
  EXPECT_EQ(arrived().state->clock.step, 2);
}

}  // namespace
}  // namespace orrery
