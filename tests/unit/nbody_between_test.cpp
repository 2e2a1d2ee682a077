/// Bodies between two kept moments against orbits in closed form.
#include "scenes/nbody/bodies/between.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace orrery {
namespace {

constexpr double radius = 2, rate = 0.5;  // of a circular orbit: its angle is rate · t

Body on_circle(double t) {
  const double c = std::cos(rate * t), s = std::sin(rate * t);
  return {1, radius * c, radius * s, 0.25 * t, -radius * rate * s, radius * rate * c, 0.25};
}

double distance(const Body& a, const Body& b) { return std::hypot(a.x - b.x, a.y - b.y, a.z - b.z); }

double largest_error(double begin, double time) {
  double largest = 0;
  for (int k = 0; k <= 100; ++k) {
    const double share = k / 100.0;
    const Body found = bodies_between({on_circle(begin)}, {on_circle(begin + time)}, time, share).front();
    largest = std::max(largest, distance(found, on_circle(begin + share * time)));
  }
  return largest;
}

}  // namespace

// The fourth derivative of the position is radius · rate⁴ for each angle.
TEST(BodiesBetween, AreAsNearACircularOrbitAsACubicCanBe) {
  for (const double time : {0.1, 0.5, 1.0, 2.0, -1.0}) {
    const double bound = std::pow(time * rate, 4) / 384 * radius;
    const double error = largest_error(0.7, time);
    EXPECT_LE(error, bound + 1e-14) << time;
    EXPECT_GE(error, bound / 2) << time;
  }
}

TEST(BodiesBetween, AreTheBodiesOfBothMomentsAtTheEnds) {
  for (const double time : {0.5, 40.0}) {
    const Body a = on_circle(0), b = on_circle(time);
    for (const auto& [share, expected] : {std::pair(0.0, a), std::pair(1.0, b)}) {
      const Body found = bodies_between({a}, {b}, time, share).front();
      EXPECT_NEAR(distance(found, expected), 0, 1e-14);
      EXPECT_NEAR(found.vx, expected.vx, 1e-14);
      EXPECT_NEAR(found.vy, expected.vy, 1e-14);
      EXPECT_EQ(found.mass, 1);
    }
  }
}

TEST(BodiesBetween, HaveTheVelocityByWhichTheyMove) {
  constexpr double time = 1.5, small = 1e-5;
  const Bodies from{on_circle(0)}, to{on_circle(time)};
  for (const double share : {0.1, 0.4, 0.9}) {
    const Body before = bodies_between(from, to, time, share - small).front();
    const Body after = bodies_between(from, to, time, share + small).front();
    const Body found = bodies_between(from, to, time, share).front();
    EXPECT_NEAR(found.vx, (after.x - before.x) / (2 * small * time), 1e-8);
    EXPECT_NEAR(found.vy, (after.y - before.y) / (2 * small * time), 1e-8);
  }
}

// An unlimited cubic would deviate from the orbit by 4/27 · 2π · 10 radii.
TEST(BodiesBetween, StayWithinAChordOfTheOrbitOverManyOrbits) {
  for (const double orbits : {1.0, 3.3, 10.5, 100.25}) {
    const double time = orbits * 2 * std::numbers::pi / rate;
    Body a = on_circle(0), b = on_circle(time);
    a.z = b.z = a.vz = b.vz = 0;
    for (double share = 0; share <= 1; share += 0.05) {
      const Body found = bodies_between({a}, {b}, time, share).front();
      EXPECT_LE(std::hypot(found.x, found.y), radius + distance(a, b)) << orbits << " " << share;
    }
  }
}

}  // namespace orrery
