/// The solar system on a date, and named units, against independent numbers: DE421 by PyPI's jplephem, JPL's Horizons,
/// the Gaussian constant.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numbers>

#include "base/error.hpp"
#include "scenes/nbody/bodies/initial.hpp"
#include "scenes/nbody/bodies/placement.hpp"
#include "scenes/nbody/model/flight.hpp"

using namespace orrery;

namespace {

constexpr double degree = std::numbers::pi / 180;

Bodies sky(const std::string& date, const std::string& units = "AU-years-suns") {
  return make_bodies("solar-system", 0, 0, 1, {}, {units, date});
}

std::size_t index_of(std::string_view name) {
  return static_cast<std::size_t>(std::ranges::find(sky_names, name) - sky_names.begin());
}

Vector between(const Bodies& bodies, std::string_view from, std::string_view to) {
  const Body &a = bodies[index_of(from)], &b = bodies[index_of(to)];
  return {b.x - a.x, b.y - a.y, b.z - a.z};
}

double apart(const Vector& a, const Vector& b) { return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]); }

double length(const Vector& a) { return std::hypot(a[0], a[1], a[2]); }

// Heliocentric along the ecliptic of J2000, AU, by jplephem 2.24 from de421 2008.1; the Moon from the Earth.
constexpr Vector earth_at_j2001{-0.1770708526, 0.9672455693, 0.0000002294};
constexpr Vector moon_at_j2001{0.0025922375, -0.0006620969, -0.0002153688};
constexpr Vector earth_in_2010{0.1745483388, -1.0015569021, 0.0000204099};  // 2 July, 0h: half a year from a table row
constexpr Vector mercury_in_2010{-0.1486152928, 0.2816908847, 0.0366518176};
constexpr Vector moon_in_2010{0.0025524963, -0.0008732258, 0.0002147442};
constexpr Vector earth_in_2026{-0.1742814805, 0.9677589203, -0.0000594455};  // 1 January, 0h

std::string refusal_of_date(const std::string& date) {
  try {
    (void)julian_day(date);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST(NbodySky, ADateBetweenTwoRowsIsThatOfTheEphemeris) {
  const Bodies in_2010 = sky("2010-07-02"), in_2026 = sky("2026-01-01");
  // The model neglects the Earth's shape and the asteroids.
  EXPECT_LT(apart(between(in_2010, "Sun", "Earth"), earth_in_2010), 1e-8);
  EXPECT_LT(apart(between(in_2010, "Sun", "Mercury"), mercury_in_2010), 1e-8);
  EXPECT_LT(apart(between(in_2010, "Earth", "Moon"), moon_in_2010), 2e-7);
  EXPECT_LT(apart(between(in_2026, "Sun", "Earth"), earth_in_2026), 1e-8);
}

TEST(NbodySky, AfterAYearTheEarthIsWhereTheEphemerisHasIt) {
  constexpr std::int64_t steps = 20'000;
  Bodies bodies = sky("2000-01-01T12:00");
  const double gravity = units_named("AU-years-suns").gravity;
  const std::atomic<bool> goes_on = false;
  advance(bodies, {integrator_of("leapfrog"), 1.0 / steps, 0, gravity, steps}, goes_on);
  // The remaining error is relativity: 4e-7 AU.
  EXPECT_LT(apart(between(bodies, "Sun", "Earth"), earth_at_j2001), 1e-6);
  EXPECT_LT(apart(between(bodies, "Earth", "Moon"), moon_at_j2001), 3e-6);
}

TEST(NbodySky, LargeMoonsAreWhereHorizonsHasThemWithinADegree) {
  // JPL's Horizons, 2000-01-01 12:00 TDB, from the planet's centre along the equator of J2000, km.
  struct Place {
    std::string_view planet, moon;
    Vector at;
  };
  const Place places[] = {{"Jupiter", "Io", {3.997142e5, 1.143582e5, 6.120267e4}},
                          {"Jupiter", "Europa", {-5.612445e5, -3.194939e5, -1.580864e5}},
                          {"Jupiter", "Ganymede", {-8.213451e5, -6.150857e5, -3.043381e5}},
                          {"Jupiter", "Callisto", {3.250797e5, 1.673657e6, 7.961981e5}},
                          {"Saturn", "Titan", {-9.468029e5, 8.240982e5, 2.708223e4}},
                          {"Neptune", "Triton", {-2.056859e5, 1.000801e4, 2.888778e5}}};
  const Bodies bodies = sky("2000-01-01T12:00", "km-s-kg");
  for (const Place& place : places) {
    const Vector expected = turned(place.at, -84381.448 / 3600 * degree, 0);
    const Vector got = between(bodies, place.planet, place.moon);
    EXPECT_NEAR(length(got), length(expected), 0.012 * length(expected)) << place.moon;
    EXPECT_LT(apart(got, expected), degree * length(expected) + std::abs(length(got) - length(expected))) << place.moon;
  }
}

TEST(NbodySky, MoonsKeepTheirPeriods) {
  constexpr double days_of_io = 1.769137786, days_of_titan = 15.945421;
  const double gravity = units_named("AU-years-suns").gravity;
  for (const auto& [planet, moon, days] :
       {std::tuple{"Jupiter", "Io", days_of_io}, std::tuple{"Saturn", "Titan", days_of_titan}}) {
    Bodies bodies = sky("2000-01-01T12:00");
    const Vector before = between(bodies, planet, moon);
    const std::atomic<bool> goes_on = false;
    advance(bodies, {integrator_of("leapfrog"), days / 365.25 / 4000, 0, gravity, 4000}, goes_on);
    // Other moons and the Sun perturb the two-body orbit.
    EXPECT_LT(apart(between(bodies, planet, moon), before), 0.01 * length(before)) << moon;
  }
}

TEST(NbodySky, DatesAreReadAndWrittenAlike) {
  EXPECT_EQ(julian_day("2000-01-01T12:00"), 2'451'545);
  EXPECT_EQ(julian_day("2000-01-01"), 2'451'544.5);
  for (const char* date : {"1969-07-20 20:17", "2024-02-29 00:00", "2052-12-30 23:59"}) {
    std::string typed = date;
    typed[10] = 'T';
    EXPECT_EQ(date_text(julian_day(typed)), date);
  }
  for (const char* wrong : {"", "2000", "2000-13-01", "2023-02-29", "2000-01-01T24:00", "2000-01-01 12:00",
                            "2000-01-01T12:00Z", "1850-01-01", "2100-01-01", "20x0-01-01"})
    EXPECT_NE(refusal_of_date(wrong).find("--date: expected YYYY-MM-DD"), std::string::npos) << wrong;
}

TEST(NbodyUnits, ConstantsAreThoseOfGaussAndOfTheSun) {
  constexpr double gauss = 0.01720209895;  // √(AU³/day²), in solar masses
  const UnitSystem& years = units_named("AU-years-suns");
  EXPECT_NEAR(years.gravity / (gauss * gauss * 365.25 * 365.25), 1, 1e-9);
  const UnitSystem& kilometres = units_named("km-s-kg");
  EXPECT_NEAR(kilometres.gravity * kilometres.sun, 1.3271244e11, 1);
  EXPECT_NEAR(kilometres.sun / 1.98841e30, 1, 1e-5);
  EXPECT_EQ(units_named("none").gravity, 1);
}

TEST(NbodyUnits, AnInitialConditionHasTheSameOrbitsInAllUnits) {
  // 2K/|W| and v²·r/(G·M) have no units.
  const auto ratio_of = [](const Bodies& bodies, double gravity) {
    double kinetic = 0, potential = 0;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const Body& a = bodies[i];
      kinetic += a.mass * (a.vx * a.vx + a.vy * a.vy + a.vz * a.vz);
      for (std::size_t j = 0; j < i; ++j)
        potential +=
            gravity * a.mass * bodies[j].mass / std::hypot(a.x - bodies[j].x, a.y - bodies[j].y, a.z - bodies[j].z);
    }
    return kinetic / potential;
  };
  for (const InitialInfo& info : initial_conditions()) {
    const std::string name(info.name);
    const auto in = [&](const std::string& units) {
      return make_bodies(name, info.fixed_bodies > 0 ? 0 : 50, 0, 1, {}, {units, std::string(j2000_date)});
    };
    const double expected = ratio_of(in("none"), 1);
    for (const char* units : {"AU-years-suns", "km-s-kg"})
      EXPECT_NEAR(ratio_of(in(units), units_named(units).gravity), expected, 1e-12 + 1e-10 * expected) << name;
  }
}

TEST(NbodyUnits, AnOrbitOfOneAuTakesAYear) {
  // 2π/√G years, by Kepler's third law; the Gaussian year is longer than 365.25 days.
  const double gravity = units_named("AU-years-suns").gravity, period = 2 * std::numbers::pi / std::sqrt(gravity);
  EXPECT_NEAR(period * 365.25, 365.2568983, 1e-6);
  const Bodies before = make_bodies("kepler:0.3", 0, 2, 1, {}, {"AU-years-suns", ""});
  Bodies after = before;
  const std::atomic<bool> goes_on = false;
  advance(after, {integrator_of("pefrl"), period / 2000, 0, gravity, 2000}, goes_on);
  EXPECT_NEAR(after[0].x, before[0].x, 1e-8);
  EXPECT_NEAR(after[0].y, 0, 1e-7);
}

TEST(NbodyUnits, SuggestionsAreConverted) {
  const Suggestion natural = suggestion_of("galaxies", {});
  const Suggestion years = suggestion_of("galaxies", {}, "AU-years-suns", units_named("AU-years-suns").gravity);
  EXPECT_EQ(years.softening, natural.softening);
  EXPECT_EQ(years.burst, natural.burst);
  EXPECT_LE(years.dt, natural.dt / (2 * std::numbers::pi) * 1.001);
  EXPECT_GT(years.dt, natural.dt / (2 * std::numbers::pi) / 2.6);
  const Suggestion kilometres = suggestion_of("outer-solar-system", {}, "km-s-kg", units_named("km-s-kg").gravity);
  EXPECT_EQ(kilometres.dt, 500'000);  // 0.1 · 58.13 days are 502,000 s
  EXPECT_NEAR(reach_of("outer-solar-system", "km-s-kg") / 149'597'870.7, reach_of("outer-solar-system"), 1e-9);
}

TEST(NbodyTestParticles, AreThoseBehindTheLastMass) {
  EXPECT_EQ(sources_of({{1}, {0}, {2}, {0}, {0}}), 3U);
  EXPECT_EQ(sources_of({{1}, {1}}), 2U);
  EXPECT_EQ(sources_of({{0}, {0}}), 1U);
  EXPECT_EQ(sources_of(make_bodies("asteroid-belt", 500, 0, 1)), planet_names.size());
  EXPECT_EQ(sources_of(make_bodies("asteroid-belt", 3, 0, 1)), 3U);
}
