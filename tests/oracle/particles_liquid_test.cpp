/// The Lennard-Jones liquid against NIST's reference values (Standard Reference Simulation Website, Monte Carlo results
/// with long-range corrections, cutoff 3σ, T* = 0.85).
#include <gtest/gtest.h>

#include "bench.hpp"
#include "particles_worlds.hpp"

using namespace orrery;
using namespace orrery::particles;

namespace {

struct Mean {
  double value = 0, error = 0;  ///< error: standard error of value
};

Mean mean_of(const std::vector<double>& blocks) {
  Mean mean;
  const auto n = static_cast<double>(blocks.size());
  for (const double x : blocks) mean.value += x / n;
  for (const double x : blocks) mean.error += (x - mean.value) * (x - mean.value);
  mean.error = std::sqrt(mean.error / (n * (n - 1)));
  return mean;
}

struct Liquid {
  Mean energy, pressure;
};

Liquid simulated(double density) {
  constexpr std::size_t particles = 512;
  constexpr int blocks = 16, samples = 20;
  World world = fluid(particles, density, 0.1, 7);
  world.pairs.front().cutoff = 3;
  world.pairs.front().tail = true;
  world.ensemble = {.thermostat = Thermostat::langevin, .dt = 0.005, .temperature = 0.85, .friction = 2};
  draw_velocities(world, 0.85);
  const Device device(choose_device(enumerate_devices(), ""));
  Queue queue(device);
  ProgramLibrary programs = uncached_programs(device);
  Engine engine(programs, world, ForceVariant{});
  run_burst(engine, queue, {1500});
  std::vector<double> energies, pressures;
  for (int block = 0; block < blocks; ++block) {
    double energy = 0, pressure = 0;
    for (int sample = 0; sample < samples; ++sample) {
      run_burst(engine, queue, {25, true});
      const Observables o = observe_blocking(engine, queue);
      energy += o.energy_per_particle() / samples;
      // The known temperature replaces the sampled kinetic part, which contains the error of the time step.
      pressure += (*o.pressure - 2 * o.kinetic / (3 * world.box.volume()) + density * 0.85) / samples;
    }
    energies.push_back(energy);
    pressures.push_back(pressure);
  }
  return {mean_of(energies), mean_of(pressures)};
}

void expect_near(const Mean& mean, double reference, double reference_error) {
  EXPECT_LT(std::abs(mean.value - reference), 3 * std::hypot(mean.error, reference_error))
      << mean.value << " ± " << mean.error;
}

}  // namespace

TEST(ParticleLiquid, HasNistsEnergyAndPressureAtDensity776) {
  const Liquid liquid = simulated(0.776);
  expect_near(liquid.energy, -5.5121, 4.5e-4);
  expect_near(liquid.pressure, 0.0068, 1.7e-3);
  EXPECT_LT(liquid.energy.error, 0.01);
}

TEST(ParticleLiquid, HasNistsEnergyAndPressureAtDensity820) {
  const Liquid liquid = simulated(0.820);
  expect_near(liquid.energy, -5.7947, 5.3e-4);
  expect_near(liquid.pressure, 0.5536, 2.2e-3);
}
