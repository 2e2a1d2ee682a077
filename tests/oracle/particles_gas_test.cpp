/// A gas without forces, drawn on the device, against the distribution that it is drawn from.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

#include "model/particles/engine.hpp"
#include "model/particles/maxwell.hpp"

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

/// Of Maxwell and Boltzmann's distribution, the probability of a speed below v.
double probability_below(double v) {
  const double x = v / std::sqrt(2 * temperature / mass);
  return std::erf(x) - 2 / std::sqrt(std::numbers::pi) * x * std::exp(-x * x);
}

class Gas : public testing::Test {
 protected:
  const Device device{choose_device(enumerate_devices(), "")};
  ProgramLibrary programs{device};
};

}  // namespace

TEST_F(Gas, TheMeanKineticEnergyIsThreeHalvesOfTheTemperature) {
  double kinetic = 0;
  for (const Vector& v : maxwell_velocities(programs, gas(molecules), temperature)) kinetic += mass / 2 * length2(v);
  // Three times the (3/2)/√N that it is to be within; a standard error is √(3/2)/√N.
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
  // χ² of 40 degrees of freedom: 40 ± √80; a draw in 10⁷ is beyond five of those.
  EXPECT_NEAR(chi2, bins, 5 * std::sqrt(2.0 * bins));
}

TEST_F(Gas, ASeedGivesTheSameVelocitiesInAnyWorkGroup) {
  World world = gas(10'007);
  const auto drawn = maxwell_velocities(programs, world, temperature, 1);
  for (const std::size_t group : {7, 64, 128})
    EXPECT_EQ(maxwell_velocities(programs, world, temperature, group), drawn) << group;
  ++world.seed;
  EXPECT_NE(maxwell_velocities(programs, world, temperature), drawn);
}

TEST_F(Gas, TheEngineMeasuresWhatWasDrawn) {
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
  EXPECT_LT(distance, 6);  // standard errors, of the worst of some hundred bins
}
