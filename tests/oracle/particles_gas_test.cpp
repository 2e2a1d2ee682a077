/// A gas without forces, drawn on the device, against its distribution.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "base/random.hpp"
#include "bench.hpp"
#include "scenes/particles/model/engine.hpp"
#include "scenes/particles/model/maxwell.hpp"

using namespace orrery;
using namespace orrery::particles;

namespace {

constexpr std::size_t molecules = 1'000'000;
constexpr double temperature = 1.7, mass = 2.5;

World gas(std::size_t count) {
  World world;
  world.seed = 20261121;
  world.box.lengths = Vector{50, 50, 50};
  world.kinds = {{"molecule", 0.1}};
  Particles& p = world.particles;
  p.mass.assign(count, mass);
  p.charge.assign(count, 0);
  p.kind.assign(count, 0);
  p.velocity.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto step = static_cast<double>(i);
    p.position.push_back(
        {std::fmod(0.731 * step, 50) - 25, std::fmod(1.317 * step, 50) - 25, std::fmod(0.117 * step, 50) - 25});
  }
  return world;
}

double length2(const Vector& v) { return v[0] * v[0] + v[1] * v[1] + v[2] * v[2]; }

/// The probability of a speed below v in the Maxwell-Boltzmann distribution.
double probability_below(double v) {
  const double x = v / std::sqrt(2 * temperature / mass);
  return std::erf(x) - 2 / std::sqrt(std::numbers::pi) * x * std::exp(-x * x);
}

/// The Kolmogorov-Smirnov statistic: √n times the largest distance of two distributions. One draw in 1000 exceeds 1.95.
double kolmogorov(std::vector<double> values, const auto& probability_below_value) {
  std::ranges::sort(values);
  const auto n = static_cast<double>(values.size());
  double most = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double p = probability_below_value(values[i]), rank = static_cast<double>(i);
    most = std::max({most, p - rank / n, (rank + 1) / n - p});
  }
  return std::sqrt(n) * most;
}

class Gas : public testing::Test {
 protected:
  const Device device{choose_device(enumerate_devices(), "")};
  ProgramLibrary programs = uncached_programs(device);
};

}  // namespace

TEST_F(Gas, TheMeanKineticEnergyIsThreeHalvesOfTheTemperature) {
  double kinetic = 0;
  for (const Vector& v : maxwell_velocities(programs, gas(molecules), temperature)) kinetic += mass / 2 * length2(v);
  // The tolerance is three times (3/2)/√N; a standard error is √(3/2)/√N.
  EXPECT_NEAR(kinetic / molecules / temperature, 1.5, 3 * 1.5 / std::sqrt(static_cast<double>(molecules)));
}

TEST_F(Gas, SpeedsAreThoseOfMaxwellAndBoltzmann) {
  constexpr std::size_t bins = 40;
  const double width = 5 * std::sqrt(temperature / mass) / bins;
  std::array<double, bins + 1> counts{};
  for (const Vector& v : maxwell_velocities(programs, gas(molecules), temperature))
    ++counts[std::min(bins, static_cast<std::size_t>(std::sqrt(length2(v)) / width))];
  double chi2 = 0;
  for (std::size_t bin = 0; bin <= bins; ++bin) {
    const double upper = bin < bins ? probability_below(static_cast<double>(bin + 1) * width) : 1;
    const double expected = molecules * (upper - probability_below(static_cast<double>(bin) * width));
    chi2 += (counts[bin] - expected) * (counts[bin] - expected) / expected;
  }
  // χ² of 40 degrees of freedom: 40 ± √80; one draw in 10⁷ deviates by more than five of these.
  EXPECT_NEAR(chi2, bins, 5 * std::sqrt(2.0 * bins));
}

// On the host and on the device, components are normal, speeds are Maxwell's, the total momentum is 0, and the kinetic
// energy scatters from seed to seed by √(f/2) kT, because it is not rescaled.
TEST_F(Gas, TenSeedsAreDrawnFromMaxwellAndBoltzmannsDistribution) {
  constexpr std::size_t count = 20'000;
  const double spread = std::sqrt(temperature / mass);
  const auto normal = [&](double v) { return 0.5 * std::erfc(-v / spread / std::numbers::sqrt2); };
  for (const bool on_device : {false, true}) {
    double scatter = 0;
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      World world = gas(count);
      world.seed = seed;
      draw_velocities(world, temperature);
      if (on_device) world.particles.velocity = maxwell_velocities(programs, world, temperature);
      std::vector<double> components, speeds;
      Vector drift{};
      double kinetic = 0;
      for (const Vector& v : world.particles.velocity) {
        for (std::size_t k = 0; k < 3; ++k) {
          components.push_back(v[k]);
          drift[k] += v[k];
        }
        speeds.push_back(std::sqrt(length2(v)));
        kinetic += mass / 2 * length2(v);
      }
      EXPECT_LT(kolmogorov(components, normal), 1.95) << seed;
      EXPECT_LT(kolmogorov(speeds, probability_below), 1.95) << seed;
      for (const double component : drift) EXPECT_NEAR(component, 0, 1e-9 * count * spread);
      const double freedom = degrees_of_freedom(world);
      EXPECT_EQ(freedom, 3.0 * count - 3);
      const double deviation = kinetic / temperature - freedom / 2;
      EXPECT_LT(std::abs(deviation) * temperature, kinetic_scatter(freedom, temperature, 5));
      scatter += deviation * deviation / (freedom / 2);
    }
    // χ² of ten degrees of freedom: one draw in 1000 is below 1.5, one above 29.6.
    EXPECT_GT(scatter, 1.5);
    EXPECT_LT(scatter, 29.6);
  }
}

// The bound follows the asymmetric χ² distribution of few degrees of freedom: of 20,000 draws 0.13 % exceed a bound of
// three standard errors.
TEST(ParticleKinetic, ScattersAsChiSquaredDoes) {
  Random random(9);
  for (const std::size_t freedom : {9, 60}) {
    constexpr int draws = 20'000;
    int above = 0;
    for (int draw = 0; draw < draws; ++draw) {
      double kinetic = 0;
      for (std::size_t k = 0; k < freedom; ++k) kinetic += 0.5 * std::pow(random.normal(), 2);
      const double f = static_cast<double>(freedom);
      above += kinetic > f / 2 + kinetic_scatter(f, 1, 3) ? 1 : 0;
    }
    EXPECT_NEAR(above, 0.00135 * draws, 5 * std::sqrt(0.00135 * draws)) << freedom;
  }
}

TEST_F(Gas, ASeedGivesTheSameVelocitiesInAnyWorkGroup) {
  World world = gas(10'007);
  const auto drawn = maxwell_velocities(programs, world, temperature, 1);
  for (const std::size_t group : {7, 64, 128})
    EXPECT_EQ(maxwell_velocities(programs, world, temperature, group), drawn) << group;
  ++world.seed;
  EXPECT_NE(maxwell_velocities(programs, world, temperature), drawn);
}

TEST_F(Gas, TheEngineMeasuresTheDrawnVelocities) {
  World world = gas(100'000);
  world.particles.velocity = maxwell_velocities(programs, world, temperature);
  world.ensemble.temperature = temperature;
  double kinetic = 0;
  for (const Vector& v : world.particles.velocity) kinetic += mass / 2 * length2(v);
  Engine engine(programs, world, ForceVariant{});
  Queue queue(device);
  run_burst(engine, queue, {.steps = 3, .observe = true});
  const Observables seen = observe_blocking(engine, queue);
  EXPECT_NEAR(seen.kinetic, kinetic, 1e-6 * kinetic);
  EXPECT_EQ(seen.potential, 0);
  double all = 0, distance = 0;
  for (std::size_t bin = 0; bin < seen.speeds.values.size(); ++bin) {
    const double low = static_cast<double>(bin) * seen.speeds.width;
    const double expected = probability_below(low + seen.speeds.width) - probability_below(low);
    const double share = seen.speeds.values[bin] * seen.speeds.width;
    all += share;
    distance = std::max(distance, std::abs(share - expected) / std::sqrt(expected / 100'000 + 1e-12));
  }
  EXPECT_NEAR(all, 1, 1e-3);
  EXPECT_LT(distance, 6);  // standard errors of the worst of several hundred bins
}
