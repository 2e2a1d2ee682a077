/// Forces of particles against plain sums over all pairs in double.
#include <gtest/gtest.h>

#include <algorithm>

#include "bench.hpp"
#include "particles_worlds.hpp"

using namespace orrery;
using namespace orrery::particles;

namespace {

/// Lennard-Jones forces with a cutoff, in double, without the excluded pairs.
std::vector<Vector> plain_forces(const World& world, double* energy = nullptr) {
  std::vector<Vector> forces(world.particles.size(), Vector{});
  const double cutoff2 = world.pairs.front().cutoff * world.pairs.front().cutoff;
  const std::vector<Bond> excluded = exclusions_of(world);
  if (energy != nullptr) *energy = 0;
  for (std::uint32_t i = 0; i < forces.size(); ++i)
    for (std::uint32_t j = i + 1; j < forces.size(); ++j) {
      const Vector d = nearest(world, i, j);
      const double r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
      if (r2 >= cutoff2 || std::ranges::binary_search(excluded, Bond{i, j})) continue;
      const double s6 = 1 / (r2 * r2 * r2);
      const double pull = -24 * (2 * s6 * s6 - s6) / r2;
      if (energy != nullptr) *energy += 4 * (s6 * s6 - s6);
      for (std::size_t k = 0; k < 3; ++k) {
        forces[i][k] += pull * d[k];
        forces[j][k] -= pull * d[k];
      }
    }
  return forces;
}

/// The force on one particle, as in plain_forces, and a bound of its rounding error.
struct PlainForce {
  Vector force{};
  double sizes = 0;   // sum of the sizes of its parts
  double slopes = 0;  // sum of the derivatives by distance
  /// Positions are rounded to `bits` bits of the box's side; the sums have a few dozen terms and integers of 2⁻³².
  double rounding(const World& world, int bits) const {
    const auto& l = *world.box.lengths;
    return std::ldexp(4 * slopes * std::max({l[0], l[1], l[2]}) + 32 * sizes, -bits) + 1e-7;
  }
};

PlainForce plain_force(const World& world, std::size_t i) {
  const double cutoff = world.pairs.front().cutoff;
  PlainForce result;
  for (std::size_t j = 0; j < world.particles.size(); ++j) {
    const Vector d = nearest(world, i, j);
    const double r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    if (j == i || r2 >= cutoff * cutoff) continue;
    const double s6 = 1 / (r2 * r2 * r2);
    const double pull = -24 * (2 * s6 * s6 - s6) / r2;
    for (std::size_t k = 0; k < 3; ++k) result.force[k] += pull * d[k];
    result.sizes += std::abs(pull) * std::sqrt(r2);
    result.slopes += 24 * (26 * s6 * s6 + 7 * s6) / r2;
  }
  return result;
}

/// n particles at random sites of a disordered lattice, in a box of random sides, each a little more than twice the
/// cutoff of 2.5 or longer.
World in_random_box(std::size_t n, std::uint64_t seed) {
  World world = empty_world(n);
  Random random(seed);
  const double volume = std::max(static_cast<double>(n) / 0.6, 5.1 * 5.1 * 5.1);
  Vector sides{}, steps{};
  std::size_t each[3];
  const double x = random.uniform(0, 1), y = random.uniform(0, 1);  // shares of the box's possible stretching
  const double most = std::log(volume / (5.1 * 5.1 * 5.1));
  sides = {5.1 * std::exp(most * x * y), 5.1 * std::exp(most * x * (1 - y)), 5.1 * std::exp(most * (1 - x))};
  world.box.lengths = sides;
  for (std::size_t k = 0; k < 3; ++k) {
    each[k] = static_cast<std::size_t>(std::ceil(sides[k] / std::cbrt(volume / static_cast<double>(n))));
    steps[k] = sides[k] / static_cast<double>(each[k]);
  }
  std::vector<std::size_t> places(each[0] * each[1] * each[2]);
  for (std::size_t p = 0; p < places.size(); ++p) {
    places[p] = p;
    std::swap(places[p], places[std::min(p, static_cast<std::size_t>(random.uniform() * static_cast<double>(p + 1)))]);
  }
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t p = places[i], cell[3] = {p % each[0], p / each[0] % each[1], p / each[0] / each[1]};
    for (std::size_t k = 0; k < 3; ++k)
      world.particles.position[i][k] =
          (static_cast<double>(cell[k]) + random.uniform(0.4, 0.6)) * steps[k] - sides[k] / 2;
  }
  world.pairs = {ready_pair_law("lennard-jones")};
  world.pairs.front().cutoff = 2.5;
  return world;
}

double largest(const std::vector<Vector>& forces) {
  double most = 0;
  for (const Vector& f : forces)
    for (const double x : f) most = std::max(most, std::abs(x));
  return most;
}

double difference(const std::vector<Vector>& a, const std::vector<Vector>& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t k = 0; k < 3; ++k) most = std::max(most, std::abs(a[i][k] - b[i][k]));
  return most;
}

std::vector<Vector> forces_of(const World& world, const ForceVariant& variant) {
  Engine engine(bench().programs, world, variant);
  return engine.forces_blocking(bench().queue);
}

}  // namespace

// Rounding a position to a float changes it by up to 2⁻²⁴ of the box, and a force by that times the steepest slope.
TEST(ParticleForces, AreThoseOfAllPairsWithinTheCutoff) {
  for (const std::size_t n : {1, 2, 31, 33, 200, 501, 1501}) {
    const World world = fluid(n, 0.7, 0.15, n);
    if (2 * world.pairs.front().cutoff > (*world.box.lengths)[0]) continue;
    double energy = 0;
    const auto expected = plain_forces(world, &energy);
    for (const Precision precision : {Precision::single, Precision::double_}) {
      Engine engine(bench().programs, world, {.precision = precision});
      const auto forces = engine.forces_blocking(bench().queue);
      const double tolerance = precision == Precision::double_ ? 1e-6 : 2e-4 * std::max(1.0, largest(expected));
      EXPECT_LT(difference(forces, expected), tolerance) << n;
      const Observables o = observe_blocking(engine, bench().queue);
      EXPECT_NEAR(o.potential, energy, 1e-5 * std::abs(energy) + 1e-9) << n;
    }
  }
}

// Compares a sample of the particles (all of a few) in boxes of any proportions, with full blocks, nearly empty blocks,
// and more blocks than fit a launch.
TEST(ParticleForces, AreThoseOfAllPairsInBoxesOfAnyShape) {
  constexpr std::size_t looked_at = 600;
  for (const std::size_t n : {1, 2, 31, 32, 33, 63, 1000, 4097, 100'000})
    for (const Precision precision : {Precision::single, Precision::double_}) {
      const World world = in_random_box(n, n + 1);
      const auto forces = forces_of(world, {.precision = precision});
      for (std::size_t i = 0; i < n; i += std::max<std::size_t>(1, n / looked_at)) {
        const PlainForce expected = plain_force(world, i);
        const double rounding = expected.rounding(world, precision == Precision::double_ ? 52 : 24);
        for (std::size_t k = 0; k < 3; ++k) ASSERT_NEAR(forces[i][k], expected.force[k], rounding) << i << " of " << n;
      }
    }
}

// Groups of one work-item to the most that every compiled kernel allows.
TEST(ParticleForces, DoNotDependOnTheSizeOfTheWorkGroup) {
  for (const std::size_t n : {1, 33, 63}) {
    const World world = in_random_box(n, 3);
    const auto expected = forces_of(world, {.work_group = 1, .lanes = 1});
    for (std::size_t i = 0; i < n; ++i) {
      const PlainForce plain = plain_force(world, i);
      for (std::size_t k = 0; k < 3; ++k) ASSERT_NEAR(expected[i][k], plain.force[k], plain.rounding(world, 24));
    }
    for (std::size_t size = 2; size <= std::min<std::size_t>(256, bench().device.info().max_work_group);
         size = size < 4 ? size + 1 : size * 7 / 4)
      EXPECT_EQ(forces_of(world, {.work_group = size, .lanes = 1}), expected) << n << " in groups of " << size;
  }
}

// Lanes of a CPU, work-items of a GPU that share a block, groups of any size.
TEST(ParticleForces, DependNeitherOnTheWorkGroupNorOnTheDivisionOfABlock) {
  const World world = fluid(501, 0.7, 0.15);
  const auto expected = forces_of(world, {.lanes = 1, .split = 1});
  const double rounding = 1e-4 * largest(expected);  // sums over 32 neighbours, each to 2⁻²⁴, in another order
  for (const ForceVariant& variant : {ForceVariant{.work_group = 1, .lanes = 1},
                                      {.work_group = 7, .lanes = 1},
                                      {.work_group = 96, .lanes = 1},
                                      {.work_group = 64, .lanes = 1, .split = 2},
                                      {.work_group = 128, .lanes = 1, .split = 4},
                                      {.work_group = 5, .lanes = 4},
                                      {.work_group = 3, .lanes = 8},
                                      {.work_group = 2, .lanes = 16}})
    EXPECT_LT(difference(forces_of(world, variant), expected), rounding)
        << variant.work_group << " × " << variant.lanes;
  EXPECT_EQ(forces_of(world, {.work_group = 1, .lanes = 1}), expected);
  EXPECT_EQ(forces_of(world, {.work_group = 96, .lanes = 1}), expected);
  EXPECT_EQ(forces_of(world, {.work_group = 128, .lanes = 1, .split = 4}), expected);
}

// Forces are summed as integers: action and reaction cancel to the last bit.
TEST(ParticleForces, CancelExactly) {
  const auto forces = forces_of(fluid(1501, 0.8, 0.15), {});
  Vector sum{};
  for (const Vector& f : forces)
    for (std::size_t k = 0; k < 3; ++k) sum[k] += f[k];
  for (const double component : sum) EXPECT_LT(std::abs(component), 1e-6 * largest(forces) * std::sqrt(1501.0) * 100);
}

// Without a cutoff: softened gravity of particles of different masses in open space.
TEST(ParticleForces, ReachAllParticlesWithoutACutoff) {
  for (const std::size_t n : {1, 33, 300}) {
    World world = empty_world(n);
    Random random(n);
    for (std::size_t i = 0; i < n; ++i) {
      world.particles.mass[i] = random.uniform(0.5, 2);
      for (double& x : world.particles.position[i]) x = random.uniform(-3, 3);
    }
    world.pairs = {ready_pair_law("gravity")};
    std::vector<Vector> expected(n, Vector{});
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        const Vector d = nearest(world, i, j);
        const double r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + 0.05 * 0.05;
        for (std::size_t k = 0; k < 3; ++k)
          expected[i][k] += world.particles.mass[i] * world.particles.mass[j] * d[k] / (r2 * std::sqrt(r2));
      }
    for (const ForceVariant& variant :
         {ForceVariant{}, {.work_group = 128, .lanes = 1, .split = 4}, {.precision = Precision::double_}})
      EXPECT_LT(difference(forces_of(world, variant), expected), 1e-4 * std::max(largest(expected), 1.0)) << n;
  }
}

// In open space, the curve fills the bounds of the particles; one particle is far away from all others.
TEST(ParticleForces, AreThoseOfAllPairsInOpenSpace) {
  World world = fluid(400, 0.7, 0.15);
  world.box.lengths.reset();
  world.particles.position[17] = {900, -50, 3};
  EXPECT_LT(difference(forces_of(world, {}), plain_forces(world)), 1e-3 * largest(plain_forces(world)));
}

// 1–2 and 1–3, on both sides of the edge of the box.
TEST(ParticleForces, LeaveOutPairsThatBondsExclude) {
  World world = fluid(200, 0.6, 0.15);
  for (std::uint32_t i = 0; i + 1 < 200; ++i)
    if (i % 10 != 9) world.bonds.push_back({i, i + 1});
  EXPECT_EQ(exclusions_of(world).size(), 20u * (9 + 8));
  for (const ForceVariant& variant : {ForceVariant{}, {.work_group = 128, .lanes = 1, .split = 4}})
    EXPECT_LT(difference(forces_of(world, variant), plain_forces(world)), 2e-4 * largest(plain_forces(world)));
}
