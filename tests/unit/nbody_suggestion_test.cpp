/// The suggested time step and softening follow the bodies' units.
#include <gtest/gtest.h>

#include <cmath>

#include "scenes/nbody/bodies/initial.hpp"

using namespace orrery;

namespace {

/// The same system in other units: lengths and times are multiplied.
Bodies scaled(Bodies bodies, double length, double time) {
  const double mass = length * length * length / (time * time);  // keeps G = 1
  for (Body& b : bodies) {
    b.mass *= mass;
    for (double* x : {&b.x, &b.y, &b.z}) *x *= length;
    for (double* v : {&b.vx, &b.vy, &b.vz}) *v *= length / time;
  }
  return bodies;
}

}  // namespace

TEST(NbodySuggestion, FollowsTheUnits) {
  for (const char* name : {"kepler", "lagrange", "plummer", "disc"}) {
    const Bodies bodies = make_bodies(name, 0, find_initial(name)->fixed_bodies > 0 ? 0 : 4000, 1);
    const Suggestion here = suggested_for(bodies);
    for (const double factor : {10.0, 1e20}) {
      const Suggestion there = suggested_for(scaled(bodies, factor, 100));
      EXPECT_NEAR(there.dt, 100 * here.dt, 1e-9 * there.dt) << name;
      EXPECT_NEAR(there.softening, factor * here.softening, 1e-9 * factor) << name;
      EXPECT_EQ(there.burst, here.burst) << name;
    }
  }
}

TEST(NbodySuggestion, AFewBodiesMoveInBareGravity) {
  const Suggestion circular = suggested_for(make_bodies("kepler:0", 0, 2, 1));
  const Suggestion narrow = suggested_for(make_bodies("kepler:0.9", 0, 2, 1));
  EXPECT_EQ(circular.softening, 0);
  EXPECT_EQ(narrow.softening, 0);
  EXPECT_LE(circular.dt, 1. / 200);
  EXPECT_GE(circular.dt, 1. / 500);
  // At pericentre the free-fall time is √((1 − e)³) times as long; rounding to 1, 2, 5 changes it by at most 2.5.
  EXPECT_NEAR(narrow.dt / circular.dt, std::pow(0.1, 1.5), std::pow(0.1, 1.5));
  EXPECT_NEAR(narrow.dt * static_cast<double>(narrow.burst), circular.dt * static_cast<double>(circular.burst), 0.005);
}

TEST(NbodySuggestion, ManyBodiesAreSoftenedByTheirSeparation) {
  const Suggestion plummer = suggested_for(make_bodies("plummer", 64000, 0, 1));
  // The half-mass radius is 0.77 in Hénon units, and 64000^{1/3} = 40.
  EXPECT_LE(plummer.softening, 0.77 / 40);
  EXPECT_GE(plummer.softening, 0.77 / 40 / 2.5);
  EXPECT_EQ(plummer.burst, 1);
}

TEST(NbodySuggestion, IsUsableForAnyBodies) {
  const Bodies resting(3), apart{{1, 0, 0, 0, 0, 0, 0}, {1, 1e9, 0, 0, 0, 0, 0}}, alone{{1, 0, 0, 0, 1, 0, 0}};
  Bodies crowd(1000, Body{1, 2, 3, 4, 0, 0, 0});  // all in one place
  Bodies tracers(1000);
  for (std::size_t i = 0; i < tracers.size(); ++i) tracers[i].x = static_cast<double>(i);  // without mass
  for (const Bodies& bodies : {resting, apart, alone, crowd, tracers}) {
    const Suggestion got = suggested_for(bodies);
    EXPECT_GT(got.dt, 0);
    EXPECT_LE(got.dt, largest_step);
    EXPECT_GE(got.softening, 0);
    EXPECT_LE(got.softening, largest_softening);
    EXPECT_GE(got.burst, 1);
  }
}

TEST(NbodySuggestion, FillsInMissingValuesOnly) {
  NbodySettings settings;
  settings.dt = 0.3;
  take(settings, {0.1, 0.2, 7}, {.softening = true});
  EXPECT_EQ(settings.dt, 0.3);
  EXPECT_EQ(settings.softening, 0.2);
  EXPECT_EQ(settings.burst, 1);
}
