/// Initial conditions have the properties that their names promise.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <ranges>
#include <span>
#include <vector>

#include "base/error.hpp"
#include "scenes/nbody/bodies/body_file.hpp"
#include "scenes/nbody/bodies/initial.hpp"
#include "scratch.hpp"

using namespace orrery;

namespace {

Bodies made(const std::string& initial, std::int64_t count, std::uint64_t seed = 1) {
  return make_bodies(initial, count, 100, seed);
}

double kinetic_energy(const Bodies& bodies) {
  double sum = 0;
  for (const Body& b : bodies) sum += b.mass * (b.vx * b.vx + b.vy * b.vy + b.vz * b.vz) / 2;
  return sum;
}

double potential_energy(const Bodies& bodies) {
  double sum = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      sum -= bodies[i].mass * bodies[j].mass /
             std::hypot(bodies[i].x - bodies[j].x, bodies[i].y - bodies[j].y, bodies[i].z - bodies[j].z);
  return sum;
}

std::string refusal(const std::string& initial, std::int64_t count) {
  try {
    (void)made(initial, count);
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::usage);
    return error.what();
  }
  return {};
}

}  // namespace

TEST(NbodyInitial, GivesTheNumberAskedFor) {
  for (const std::string_view name : std::views::transform(initial_conditions(), &InitialInfo::name)) {
    if (find_initial(name)->fixed_bodies > 0) continue;
    for (const std::int64_t count : {1, 2, 3, 17, 1000})
      EXPECT_EQ(made(std::string(name), count).size(), static_cast<std::size_t>(count)) << name;
  }
}

TEST(NbodyInitial, RestsAtTheOrigin) {
  for (const std::string_view name : std::views::transform(initial_conditions(), &InitialInfo::name)) {
    double x = 0, y = 0, z = 0, px = 0, py = 0, pz = 0;
    const Bodies bodies = made(std::string(name), find_initial(name)->fixed_bodies > 0 ? 0 : 1500);
    for (const Body& b : bodies) {
      x += b.mass * b.x;
      y += b.mass * b.y;
      z += b.mass * b.z;
      px += b.mass * b.vx;
      py += b.mass * b.vy;
      pz += b.mass * b.vz;
    }
    // Sums of up to 1500 terms below 10, each rounded to half a unit in the last place.
    constexpr double rounding = 1500 * 10 * 0x1p-53;
    for (const double component : {x, y, z, px, py, pz}) EXPECT_NEAR(component, 0, rounding) << name;
  }
}

TEST(NbodyInitial, HasPositiveMassesAndFiniteValues) {
  for (const std::string_view name : std::views::transform(initial_conditions(), &InitialInfo::name))
    for (const Body& b : made(std::string(name), find_initial(name)->fixed_bodies > 0 ? 0 : 500)) {
      EXPECT_TRUE(b.mass > 0 || (b.mass == 0 && name == "asteroid-belt")) << name;
      EXPECT_TRUE(std::isfinite(b.x + b.y + b.z + b.vx + b.vy + b.vz)) << name;
    }
}

TEST(NbodyInitial, DependsOnTheSeedAlone) {
  EXPECT_EQ(made("galaxies", 300, 5), made("galaxies", 300, 5));
  EXPECT_NE(made("galaxies", 300, 5), made("galaxies", 300, 6));
}

// mt19937_64 is standardised, and so is all arithmetic except the last bit of the libraries' roots.
TEST(NbodyInitial, IsTheSameOnEveryPlatform) {
  const Body first = make_bodies("cube", 2, 2, 42).front();
  const Body second = make_bodies("cube", 2, 2, 42).back();
  EXPECT_NEAR(first.x - second.x, 1.2377656986442038, 1e-14);
  EXPECT_NEAR(first.y - second.y, -0.52847514514736194, 1e-14);
}

TEST(NbodyInitial, PlummerHasHenonUnits) {
  constexpr std::int64_t count = 4000;
  double mean_energy = 0, mean_virial = 0, mass = 0;
  constexpr int samples = 4;
  for (std::uint64_t seed = 1; seed <= samples; ++seed) {
    const Bodies bodies = made("plummer", count, seed);
    const double kinetic = kinetic_energy(bodies), potential = potential_energy(bodies);
    mean_energy += (kinetic + potential) / samples;
    mean_virial += 2 * kinetic / std::abs(potential) / samples;
    for (const Body& b : bodies) mass += b.mass / samples;
  }
  EXPECT_NEAR(mass, 1, 1e-12);
  // K = 1/4; v² spreads by about its mean, so K and W have relative errors of about 1/√N; four standard errors.
  const double tolerance = 4 / std::sqrt(static_cast<double>(count * samples));
  EXPECT_NEAR(mean_energy, -0.25, 0.25 * 2 * tolerance);
  EXPECT_NEAR(mean_virial, 1, 2 * tolerance);
}

// The first 55 % of the bodies are the disc; bulge and halo do not rotate.
TEST(NbodyInitial, DiscTurnsOneWay) {
  const Bodies bodies = made("disc", 2000);
  double forward = 0, backward = 0;
  for (std::size_t i = 0; i < 1100; ++i) {
    const Body& b = bodies[i];
    const double turning = b.mass * (b.x * b.vy - b.y * b.vx);
    (turning > 0 ? forward : backward) += std::abs(turning);
  }
  EXPECT_GT(forward, 20 * backward);
}

TEST(NbodyInitial, RingMovesOnCirclesAroundThePlanet) {
  const Bodies bodies = made("ring", 500);
  const Body& planet = bodies.front();
  const double softening = find_initial("ring")->suggestion->softening;
  for (std::size_t i = 1; i < bodies.size(); ++i) {
    const Body& b = bodies[i];
    const double x = b.x - planet.x, y = b.y - planet.y, z = b.z - planet.z;
    const double vx = b.vx - planet.vx, vy = b.vy - planet.vy, vz = b.vz - planet.vz;
    const double squared = x * x + y * y + z * z;
    EXPECT_GT(std::sqrt(squared), 1.19);
    EXPECT_LT(std::sqrt(squared), 2.41);
    EXPECT_NEAR(x * vx + y * vy + z * vz, 0, 1e-3);
    // v²/r is the attraction of the planet, GM r / (r² + ε²)^{3/2}.
    EXPECT_NEAR((vx * vx + vy * vy + vz * vz) / squared, std::pow(squared + softening * softening, -1.5), 1e-3);
    EXPECT_LT(b.mass, 1e-5);
  }
}

TEST(NbodyInitial, GalaxiesFallTowardsEachOther) {
  const Bodies bodies = made("galaxies", 1000);
  const Body& left = bodies.front();
  const Body& right = bodies[500];
  EXPECT_GT(left.mass, 50 * bodies[1].mass);
  EXPECT_EQ(left.mass, right.mass);
  const double distance_rate = (right.x - left.x) * (right.vx - left.vx) + (right.y - left.y) * (right.vy - left.vy);
  EXPECT_LT(distance_rate, 0);
}

/// Mass and mean position of bodies from one index to another.
Body sum_of(const Bodies& bodies, std::size_t first, std::size_t end) {
  Body sum{};
  for (const Body& b : std::span(bodies).subspan(first, end - first))
    sum.mass += b.mass, sum.x += b.mass * b.x, sum.y += b.mass * b.y, sum.z += b.mass * b.z;
  sum.x /= sum.mass, sum.y /= sum.mass, sum.z /= sum.mass;
  return sum;
}

TEST(NbodyInitial, PartsOfTwoGalaxiesLieApart) {
  for (const char* initial : {"galaxies", "merger"})
    for (const std::int64_t count : {64, 65, 3001}) {
      const Bodies bodies = made(initial, count);
      const std::vector<BodyPart> parts = parts_of(initial, bodies.size());
      ASSERT_EQ(parts.size(), 2U);
      const Body one = sum_of(bodies, 0, parts[1].first), two = sum_of(bodies, parts[1].first, bodies.size());
      EXPECT_NEAR(one.mass, two.mass, 1e-3 * two.mass + 2.0 / static_cast<double>(count));
      const double apart = std::hypot(one.x - two.x, one.y - two.y, one.z - two.z);
      for (std::size_t k = 0; k < bodies.size(); k += 7) {
        const Body& own = k < parts[1].first ? one : two;
        EXPECT_LT(std::hypot(bodies[k].x - own.x, bodies[k].y - own.y), std::string(initial) == "merger" ? 17 : 2);
      }
      EXPECT_GT(apart, 2.5) << initial << " " << count;
    }
}

TEST(NbodyInitial, PartsOfADiscHaveTheMassesOfItsModel) {
  const Bodies bodies = made("disc", 1237);
  const std::vector<BodyPart> parts = parts_of("disc", bodies.size());
  ASSERT_EQ(parts.size(), 3U);
  EXPECT_NEAR(sum_of(bodies, 0, parts[1].first).mass, 1, 1e-9);
  EXPECT_NEAR(sum_of(bodies, parts[1].first, parts[2].first).mass, 1. / 3, 1e-9);
  EXPECT_NEAR(sum_of(bodies, parts[2].first, bodies.size()).mass, 2.4, 1e-9);
}

TEST(NbodyInitial, EachPartHasBodiesAndSmallSystemsNameThem) {
  for (const InitialInfo& info : initial_conditions())
    for (const std::int64_t asked : {1, 2, 3, 5, 17}) {
      const Bodies bodies = made(std::string(info.name), info.fixed_bodies > 0 ? 0 : asked);
      const std::vector<BodyPart> parts = parts_of(info.name, bodies.size());
      EXPECT_LE(parts.size(), most_parts);
      for (std::size_t k = 0; k < parts.size(); ++k)
        EXPECT_TRUE(k == 0 ? parts[k].first == 0 : parts[k].first > parts[k - 1].first) << info.name;
      EXPECT_TRUE(parts.empty() || parts.back().first < bodies.size()) << info.name;
    }
  const std::vector<BodyPart> planets = parts_of("outer-solar-system", 7);
  ASSERT_EQ(planets.size(), 7U);
  EXPECT_EQ(planets[1].name, "Jupiter");
  EXPECT_EQ(planets[6].name, "added");
  EXPECT_TRUE(parts_of("stars.csv", 10).empty());
}

TEST(NbodyInitial, ReachIsTheApocentreOfAPair) {
  EXPECT_DOUBLE_EQ(reach_of("kepler:0.7"), 0.85);
  for (const InitialInfo& info : initial_conditions()) {
    const double reach = reach_of(std::string(info.name));
    if (reach == 0) continue;
    for (const Body& b : made(std::string(info.name), 0)) EXPECT_LE(std::hypot(b.x, b.y, b.z), reach) << info.name;
  }
}

TEST(NbodyInitial, SmallSystemsHaveTheirOwnNumberOfBodies) {
  for (const InitialInfo& info : initial_conditions()) {
    if (info.fixed_bodies == 0) continue;
    const auto own = static_cast<std::size_t>(info.fixed_bodies);
    const std::string name(info.name);
    EXPECT_EQ(made(name, 0).size(), own);
    EXPECT_EQ(made(name, info.fixed_bodies).size(), own);
    EXPECT_EQ(automatic_bodies(name, DeviceInfo()), info.fixed_bodies);
    const std::string message = refusal(name, info.fixed_bodies + 1);
    EXPECT_NE(message.find("got \"" + std::to_string(own + 1)), std::string::npos) << message;
    EXPECT_NE(message.find("auto or " + std::to_string(own)), std::string::npos) << message;
  }
}

TEST(NbodyInitial, ThereAreAsManyBodiesAsTheDeviceAdvancesThirtyTimesASecond) {
  const auto bodies = [](DeviceClass type, const char* vendor, std::uint32_t units, std::uint32_t mhz,
                         std::uint32_t width) {
    DeviceInfo device;
    device.vendor = vendor;
    device.device_class = type;
    device.compute_units = units;
    device.clock_mhz = mhz;
    device.preferred_float_width = width;
    return automatic_bodies("galaxies", device);
  };
  EXPECT_EQ(bodies(DeviceClass::cpu, "pocl", 2, 2500, 16), 4096);
  EXPECT_EQ(bodies(DeviceClass::cpu, "pocl", 2, 0, 1), 4096) << "never fewer";
  EXPECT_EQ(bodies(DeviceClass::cpu, "pocl", 32, 3000, 8), 16384);
  EXPECT_EQ(bodies(DeviceClass::gpu, "Intel(R) Corporation", 24, 1100, 1), 8192);
  EXPECT_EQ(bodies(DeviceClass::gpu, "NVIDIA Corporation", 28, 1777, 1), 524288);
  EXPECT_EQ(bodies(DeviceClass::gpu, "NVIDIA Corporation", 132, 1785, 1), 1048576);
  EXPECT_EQ(bodies(DeviceClass::gpu, "", 0, 0, 1), 65536) << "it is not known yet";
}

TEST(NbodyInitial, TakesAnEccentricityAfterAColon) {
  EXPECT_EQ(made("kepler", 0), made("kepler:0.5", 0));
  EXPECT_NE(made("kepler:0.9", 0), made("kepler:0.5", 0));
  EXPECT_NE(refusal("kepler:1", 0).find("expected a number from 0 to 0.99, got \"1\""), std::string::npos);
  EXPECT_NE(refusal("kepler:", 0).find("from 0 to 0.99"), std::string::npos);
  EXPECT_NE(refusal("plummer:1", 0).find("\"plummer:1\""), std::string::npos) << "it takes none";
  EXPECT_THROW(check_initial("kepler:-0.1", 0), Error);
}

TEST(NbodyInitial, DescribesItselfInItsUnits) {
  for (const InitialInfo& info : initial_conditions()) {
    EXPECT_FALSE(info.title.empty() || info.description.empty() || info.units.empty() || info.source.empty())
        << info.name;
    EXPECT_NE(initial_table().find(info.name), std::string::npos);
    EXPECT_NE(initial_choices().find(info.name), std::string::npos);
    EXPECT_EQ(find_initial(info.name), &info);
  }
}

TEST(NbodyInitial, RefusesUnknownNamesAndListsTheKnownOnes) {
  const std::string message = refusal("teapot", 10);
  EXPECT_NE(message.find("\"teapot\""), std::string::npos);
  EXPECT_NE(message.find("plummer"), std::string::npos);
}

TEST(NbodyInitial, TakesAFileAsItIs) {
  const auto path = scratch("initial.csv");
  const Bodies bodies{{1, 2, 3, 4, 5, 6, 7}, {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7}};
  write_bodies(path, bodies);
  EXPECT_EQ(made(path.string(), 0), bodies);
  EXPECT_EQ(made(path.string(), 2), bodies);
  EXPECT_NE(refusal(path.string(), 3).find("\"3\""), std::string::npos);
  std::filesystem::remove(path);
}
