/// The orbits of bodies against the integrated motion of two bodies, and against the solar system.
#include "scenes/nbody/bodies/orbit.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <numbers>
#include <random>

#include "scenes/nbody/bodies/initial.hpp"
#include "scenes/nbody/model/flight.hpp"

namespace orrery {
namespace {

Vector way_between(const Body& from, const Body& to) { return {to.x - from.x, to.y - from.y, to.z - from.z}; }
Vector velocity_between(const Body& from, const Body& to) {
  return {to.vx - from.vx, to.vy - from.vy, to.vz - from.vz};
}
double gap_of_ways(const Vector& a, const Vector& b) { return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]); }
double length_of_way(const Vector& a) { return std::hypot(a[0], a[1], a[2]); }

TEST(Orbits, OfTwoBodiesMatchTheIntegratedMotion) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> any(-1, 1);
  int held = 0;
  while (held < 25) {
    Bodies bodies{{1 + any(random) / 2, 0, 0, 0, 0, 0, 0},
                  {0.3, any(random), any(random), any(random), any(random), any(random), any(random)}};
    const Vector place = way_between(bodies[0], bodies[1]);
    const auto orbit = osculating(bodies[0].mass + bodies[1].mass, place, velocity_between(bodies[0], bodies[1]));
    if (!orbit || orbit->eccentricity > 0.9) continue;
    ++held;
    EXPECT_LT(gap_of_ways(orbit->place_after(0), place), 1e-12 * (1 + length_of_way(place)));
    const std::atomic<bool> stop = false;
    const std::int64_t steps = 20000;
    const double time = orbit->period() * 1.37;
    advance(bodies, {integrator_of("yoshida4"), time / steps, 0, 1, steps}, stop);
    const Vector after = way_between(bodies[0], bodies[1]);
    EXPECT_LT(gap_of_ways(orbit->place_after(time), after), 1e-5 * orbit->semi_major) << orbit->eccentricity;
  }
}

TEST(Orbits, AreTheEllipseThatTheConditionNames) {
  const Bodies pair = make_bodies("kepler:0.6", 0, 2, 1);
  const Standing standing = standing_of(pair, 1, {0});
  ASSERT_TRUE(standing.primary);
  const Orbit& orbit = standing.primary->orbit;
  EXPECT_NEAR(orbit.eccentricity, 0.6, 1e-12);
  const double mu = pair[0].mass + pair[1].mass;
  EXPECT_NEAR(orbit.period(), 2 * std::numbers::pi * std::sqrt(std::pow(orbit.semi_major, 3) / mu), 1e-12);
  for (const Vector& place : orbit.ellipse(50)) {
    EXPECT_GE(length_of_way(place), orbit.nearest() * (1 - 1e-12));
    EXPECT_LE(length_of_way(place), orbit.farthest() * (1 + 1e-12));
  }
}

TEST(Orbits, OfSpecialShapesGoThroughTheirBody) {
  const std::vector<std::pair<Vector, Vector>> special{
      {{1, 0, 0}, {0, 1, 0}},   {{1, 0, 0}, {0, -1, 0}},    {{0, 0, 1}, {0, 1, 0}},  {{0, 2, 0}, {0, 0, 0.3}},
      {{1, 0, 0}, {0.5, 0, 0}}, {{0, 0, -1}, {0, 0, 0.25}}, {{-1, 0, 0}, {0, 0, 0}}, {{1, 1, 0}, {-0.2, 0.7, 0}}};
  for (const auto& [place, velocity] : special) {
    const auto orbit = osculating(1, place, velocity);
    ASSERT_TRUE(orbit);
    EXPECT_LT(gap_of_ways(orbit->place_after(0), place), 1e-7);
    EXPECT_LT(gap_of_ways(orbit->place_after(orbit->period()), place), 1e-7);
    constexpr double moment = 1e-5;
    const Vector soon = orbit->place_after(moment);
    for (std::size_t axis = 0; axis < 3; ++axis)
      EXPECT_NEAR((soon[axis] - place[axis]) / moment, velocity[axis], 1e-3) << axis;
  }
}

TEST(Orbits, UnboundBodiesHaveNone) {
  EXPECT_FALSE(osculating(1, {1, 0, 0}, {0, 1.5, 0}));
  EXPECT_FALSE(osculating(1, {0, 0, 0}, {0, 1, 0}));
  EXPECT_FALSE(osculating(0, {1, 0, 0}, {0, 1, 0}));
}

// In AU, years of 365.25 days and the Sun's mass over 4 π²: G = 1.
TEST(Orbits, TheMoonGoesAroundTheEarthAndTheEarthAroundTheSun) {
  constexpr double sun = 4 * std::numbers::pi * std::numbers::pi, earth = sun * 3.003e-6, moon = earth * 0.0123,
                   far = 1, near = 0.00257;
  const double around_sun = std::sqrt((sun + earth) / far), around_earth = std::sqrt((earth + moon) / near);
  const Bodies sky{{sun, 0, 0, 0, 0, 0, 0},
                   {earth, far, 0, 0, 0, around_sun, 0},
                   {moon, far + near, 0, 0, 0, around_sun + around_earth, 0},
                   {sun * 9.5e-4, -5.2, 0, 0, 0, -std::sqrt(sun / 5.2), 0}};
  EXPECT_FALSE(standing_of(sky, 0, {0}).primary) << "nothing is as heavy as the Sun";
  const Standing of_earth = standing_of(sky, 1, {0}), of_moon = standing_of(sky, 2, {0});
  ASSERT_TRUE(of_earth.primary && of_moon.primary);
  EXPECT_EQ(of_earth.primary->body, 0U);
  EXPECT_NEAR(of_earth.primary->orbit.period(), 1, 1e-5);
  EXPECT_EQ(of_earth.nearest->body, 2U);
  EXPECT_EQ(of_moon.primary->body, 1U);
  EXPECT_NEAR(of_moon.primary->orbit.period() * 365.25, 27.3, 0.2);
  EXPECT_EQ(standing_of(sky, 3, {0}).primary->body, 0U);
  EXPECT_FALSE(standing_of(sky, 2, {0.01}).primary->body == 1U) << "within the softening nothing is an ellipse";
}

TEST(Orbits, ABodyAloneHasNoNeighbour) {
  const Standing alone = standing_of({{1, 0, 0, 0, 0, 0, 0}}, 0, {});
  EXPECT_FALSE(alone.nearest);
  EXPECT_FALSE(alone.primary);
}

}  // namespace
}  // namespace orrery
