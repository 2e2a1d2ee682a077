/// The small systems against known facts: periods, conserved orbits, a famous encounter, the planets.
#include <gtest/gtest.h>

#include <array>

#include <cmath>
#include <limits>
#include <numbers>

#include "oracle/orbit_reference.hpp"
#include "scenes/nbody/bodies/initial.hpp"

using namespace orrery;
using std::numbers::pi;

namespace {

Bodies made(const std::string& initial) { return make_bodies(initial, 0, 0, 1); }

double distance(const Body& a, const Body& b) { return std::hypot(a.x - b.x, a.y - b.y, a.z - b.z); }

double miss(const Bodies& end, const Bodies& start) {
  double worst = 0;
  for (std::size_t i = 0; i < start.size(); ++i)
    worst = std::max({worst, distance(end[i], start[i]),
                      std::hypot(end[i].vx - start[i].vx, end[i].vy - start[i].vy, end[i].vz - start[i].vz)});
  return worst;
}

/// Elements of the orbit about the first body, in units with G = 1; degrees.
struct OrbitElements {
  double semi_major = 0, eccentricity = 0, inclination = 0, period = 0;
};

OrbitElements elements_of(const Body& body, const Body& sun) {
  const double x = body.x - sun.x, y = body.y - sun.y, z = body.z - sun.z;
  const double vx = body.vx - sun.vx, vy = body.vy - sun.vy, vz = body.vz - sun.vz;
  const double mass = body.mass + sun.mass, r = std::hypot(x, y, z), v2 = vx * vx + vy * vy + vz * vz;
  const double lx = y * vz - z * vy, ly = z * vx - x * vz, lz = x * vy - y * vx;
  const double l2 = lx * lx + ly * ly + lz * lz, a = 1 / (2 / r - v2 / mass);
  return {a, std::sqrt(1 - l2 / (mass * a)), std::acos(lz / std::sqrt(l2)) * 180 / pi,
          2 * pi * std::sqrt(a * a * a / mass)};
}

}  // namespace

// Twelve digits of the period and fourteen of the start are known.
TEST(NbodyOrbits, TheFigureEightCloses) {
  const Bodies start = made("figure-eight");
  EXPECT_LT(miss(reference::orbit(start, 6.32591398), start), 1e-7);
  // A third of a period later each stands where the next one stood.
  const Bodies third = reference::orbit(start, 6.32591398 / 3);
  double nearest = std::numeric_limits<double>::infinity();
  for (std::size_t shift : {1, 2}) {
    double worst = 0;
    for (std::size_t i = 0; i < 3; ++i) worst = std::max(worst, distance(third[i], start[(i + shift) % 3]));
    nearest = std::min(nearest, worst);
  }
  EXPECT_LT(nearest, 1e-7);
}

TEST(NbodyOrbits, TheLagrangeTriangleTurnsOnceIn2Pi) {
  const Bodies start = made("lagrange");
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(distance(start[i], start[(i + 1) % 3]), 1, 1e-15);
  const Bodies quarter = reference::orbit(start, pi / 2);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(quarter[i].x, -start[i].y, 1e-11);
    EXPECT_NEAR(quarter[i].y, start[i].x, 1e-11);
  }
  // Its instability makes an error e^{2π/√2} = 85 times as large.
  EXPECT_LT(miss(reference::orbit(start, 2 * pi), start), 1e-9);
}

TEST(NbodyOrbits, TheKeplerPairIsAnEllipseOfPeriod2Pi) {
  for (const double e : {0.0, 0.5, 0.9}) {
    const Bodies start = made("kepler:" + std::to_string(e));
    const OrbitElements elements = elements_of(start[1], start[0]);
    EXPECT_NEAR(elements.semi_major, 1, 1e-13);
    EXPECT_NEAR(elements.eccentricity, e, 1e-7);  // the square root of a difference that cancels at e = 0
    EXPECT_NEAR(distance(start[0], start[1]), 1 - e, 1e-15);
    const Bodies half = reference::orbit(start, pi);
    EXPECT_NEAR(distance(half[0], half[1]), 1 + e, 1e-10);
    EXPECT_LT(miss(reference::orbit(start, 2 * pi), start), 1e-8);
  }
  EXPECT_NEAR(elements_of(made("kepler")[1], made("kepler")[0]).eccentricity, 0.5, 1e-15);
}

// Szebehely & Peters 1967: the first close approach at t = 1.879, the closest of all at t = 15.8299.
TEST(NbodyOrbits, ThePythagoreanBodiesMeetWhenTheyAreKnownTo) {
  const Bodies start = made("pythagorean");
  for (const Body& b : start) EXPECT_EQ(std::abs(b.vx) + std::abs(b.vy) + std::abs(b.vz), 0);
  EXPECT_NEAR(distance(start[1], start[2]), 3, 1e-15) << "opposite the mass of 3";
  EXPECT_NEAR(distance(start[0], start[2]), 4, 1e-15);
  EXPECT_NEAR(distance(start[0], start[1]), 5, 1e-15);
  struct Approach {
    double distance = std::numeric_limits<double>::infinity(), time = 0;
  } first, closest;
  (void)reference::orbit(start, 17, 1e-13, [&](double t, const Bodies& now) {
    for (std::size_t i = 0; i < 3; ++i) {
      const double r = distance(now[i], now[(i + 1) % 3]);
      if (r < closest.distance) closest = {r, t};
      if (t < 3 && r < first.distance) first = {r, t};
    }
  });
  EXPECT_NEAR(first.time, 1.879, 0.001);
  EXPECT_NEAR(first.distance, 0.01, 0.001);
  EXPECT_NEAR(closest.time, 15.83, 0.001);
  EXPECT_NEAR(closest.distance, 4e-4, 1e-4);
}

// The mean elements of 1800 to 2050 by E. M. Standish (Explanatory Supplement, table 5.8.1), ecliptic of J2000. The
// elements of one moment differ by the perturbations of the other planets and of the Sun's motion about the
// barycentre: for slow planets by several times Jupiter's mass (0.001), up to 2 % in the outermost semi-major axis.
TEST(NbodyOrbits, TheOuterPlanetsHaveTheirElements) {
  struct Known {
    double semi_major, eccentricity, inclination, years;
  };
  constexpr std::array<Known, 5> known{{{5.2029, 0.0484, 1.304, 11.862},
                                        {9.5367, 0.0539, 2.486, 29.457},
                                        {19.189, 0.0473, 0.773, 84.02},
                                        {30.070, 0.0086, 1.770, 164.79},
                                        {39.482, 0.2488, 17.14, 247.94}}};
  const Bodies bodies = made("outer-solar-system");
  ASSERT_EQ(bodies.size(), known.size() + 1);
  for (std::size_t i = 0; i < known.size(); ++i) {
    const OrbitElements got = elements_of(bodies[i + 1], bodies[0]);
    EXPECT_NEAR(got.semi_major, known[i].semi_major, 0.015 * known[i].semi_major) << i;
    EXPECT_NEAR(got.eccentricity, known[i].eccentricity, 0.012) << i;
    EXPECT_NEAR(got.inclination, known[i].inclination, 0.03) << i;
    EXPECT_NEAR(got.period / (2 * pi), known[i].years, 0.025 * known[i].years) << i;
  }
}

TEST(NbodyOrbits, JupiterComesBackAfterItsYear) {
  const Bodies start = made("outer-solar-system");
  const double year = 2 * pi;
  const auto angle = [](const Bodies& b) { return std::atan2(b[1].y - b[0].y, b[1].x - b[0].x); };
  const Bodies end = reference::orbit(start, 11.862 * year, 1e-11);
  EXPECT_NEAR(std::remainder(angle(end) - angle(start), 2 * pi), 0, 0.02);
  EXPECT_GT(std::abs(std::remainder(angle(reference::orbit(start, 11 * year, 1e-11)) - angle(start), 2 * pi)), 0.3);
}
