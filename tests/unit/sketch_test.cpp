/// Sketches, which are drawn before anything can be computed.
#include "scene/orbit_scene.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "base/error.hpp"
#include "scenes/nbody/window/preparation.hpp"
#include "scenes/particles/window/preparation.hpp"

namespace orrery {
namespace {

using Numbers = Sketch<int, int>;

void follow_to_the_end(Numbers& sketch, int key, const std::function<int()>& make) {
  do {
    sketch.follow(key, make);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  } while (sketch.busy());
  sketch.follow(key, make);
}

TEST(ASketch, IsMadeOnceForEqualKeysAndStaysUntilTheNextIsThere) {
  Numbers sketch;
  std::atomic<int> made = 0;
  const auto make = [&] { return ++made; };
  follow_to_the_end(sketch, 5, make);
  ASSERT_NE(sketch.value(), nullptr);
  EXPECT_EQ(*sketch.value(), 1);
  follow_to_the_end(sketch, 5, make);
  EXPECT_EQ(made, 1);

  std::atomic<bool> may_end = false;
  sketch.follow(6, [&] {
    while (!may_end) std::this_thread::yield();
    return 60;
  });
  EXPECT_TRUE(sketch.busy());
  EXPECT_EQ(*sketch.value(), 1);
  may_end = true;
  follow_to_the_end(sketch, 6, make);
  EXPECT_EQ(*sketch.value(), 60);
  EXPECT_EQ(sketch.serial(), 2);
}

TEST(ASketch, FollowsAKeyThatChangesFasterThanSketchesAreMade) {
  Numbers sketch;
  const auto slowly = [](int value) {
    return [value] {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      return value;
    };
  };
  int key = 0;
  for (; sketch.serial() < 3 && key < 10000; ++key) {
    const std::shared_ptr<const int> before = sketch.value();
    sketch.chase(key, slowly(key));
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (before != nullptr) {
      EXPECT_GE(*sketch.value(), *before);
    }
  }
  EXPECT_EQ(sketch.serial(), 3);
  do {
    sketch.chase(key, slowly(key));
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  } while (sketch.busy());
  EXPECT_EQ(*sketch.value(), key);
}

TEST(ASketch, ReturnsNothingIfItCannotBeMade) {
  Numbers sketch;
  follow_to_the_end(sketch, 1, [] { return 1; });
  follow_to_the_end(sketch, 2, []() -> int { throw failure("no such file"); });
  EXPECT_EQ(sketch.value(), nullptr);
  sketch.forget();
  follow_to_the_end(sketch, 2, [] { return 2; });
  EXPECT_EQ(*sketch.value(), 2);
}

class SketchedParticles : public testing::Test {
 protected:
  std::vector<cl_float4> published(const auto& publish, std::size_t count) {
    const cl::Buffer surface = device.buffer(2 * count * sizeof(cl_float4));
    publish(surface);
    return queue.read_blocking<cl_float4>(surface, 2 * count);
  }
  // Compares all components except `unknown` of the second block, which a sketch cannot have.
  static void expect_equal(const std::vector<std::array<float, 4>>& sketched, const std::vector<cl_float4>& computed,
                           std::size_t unknown) {
    ASSERT_EQ(sketched.size(), computed.size());
    for (std::size_t i = 0; i < computed.size(); ++i)
      for (std::size_t k = 0; k < 4; ++k) {
        if (i >= computed.size() / 2 && k == unknown) continue;
        EXPECT_NEAR(sketched[i][k], computed[i].s[k], 1e-5F * (1 + std::abs(computed[i].s[k]))) << i << " " << k;
      }
  }

  Device device{choose_device(enumerate_devices(), "")};
  Queue queue{device};
  ProgramLibrary programs{device};
};

TEST_F(SketchedParticles, AreTheBodiesThatTheDevicePublishesFirst) {
  NbodySettings settings;
  settings.initial = "disc";
  const BodySketch sketch = sketch_bodies(start_of(settings, device.info()));
  ASSERT_EQ(sketch.size(), 4096U);
  NbodySimulation simulation(device, fresh_bodies(start_of(settings, device.info())), Precision::single);
  NbodyPublisher publisher(programs, Precision::single, sketch.size());
  const auto publish = [&](const cl::Buffer& surface) {
    publisher.publish(queue, simulation, surface, false, cl::Buffer());
  };
  expect_equal(sketch.published, published(publish, sketch.size()), 4);
}

TEST_F(SketchedParticles, AreTheBodiesOfAStateThatIsContinued) {
  const auto state = std::make_shared<NbodyState>();
  state->bodies = {{1, 2, 3, 4, 3, 0, 4}, {2, -2, -3, -4, 0, 0, 1}};
  const BodySketch sketch = sketch_bodies(start_of({}, {}, state));
  ASSERT_EQ(sketch.size(), 2U);
  EXPECT_EQ(sketch.published[1], (std::array<float, 4>{-2, -3, -4, 2}));
  EXPECT_EQ(sketch.published[2][0], 5);
}

TEST_F(SketchedParticles, AreTheParticlesThatTheDevicePublishesFirst) {
  const ParticlesSketch sketch = sketch_particles({"salt", nullptr});
  ParticlesSettings settings;
  settings.world = "salt";
  const PreparedParticles prepared = prepare_particles(programs, {settings, nullptr, {}, {}, {}});
  EXPECT_EQ(sketch.extent, prepared.extent);
  EXPECT_EQ(sketch.masses, prepared.masses);
  EXPECT_EQ(sketch.largest_charge, prepared.largest_charge);
  const auto publish = [&](const cl::Buffer& surface) { prepared.engine->publish(queue, surface); };
  expect_equal(sketch.published, published(publish, prepared.engine->size()), 2);
}

}  // namespace
}  // namespace orrery
