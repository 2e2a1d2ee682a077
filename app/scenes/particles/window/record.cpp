#include "scenes/particles/window/record.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "scene/history.hpp"

namespace orrery {

void ParticlesRecord::forget_history() {
  observables.reset();
  distribution = {};
  history = {};
  changed = 0;
}

void ParticlesRecord::add(particles::Observables seen) {
  if (!seen.pair_distribution.values.empty()) distribution = seen.pair_distribution;
  observables = std::move(seen);
  const particles::Observables& o = *observables;
  const bool finite = o.broken == 0 && std::isfinite(o.total());
  if (!finite || (!history.time.empty() && history.time.back() == o.time)) return;
  const double count = static_cast<double>(std::max<std::size_t>(1, o.particles));
  const auto append = [](std::vector<double>& column, double value) {
    make_room({&column});
    column.push_back(value);
  };
  append(history.time, o.time);
  append(history.temperature, o.temperature);
  append(history.energy, o.potential / count);
  append(history.kinetic, o.kinetic / count);
  append(history.total, o.total() / count);
  append(history.pressure, o.pressure.value_or(std::nan("")));
}

// Two means of the last measurements agree with each other, but not with the expected value.
double ParticlesRecord::kinetic_shortfall(double expected, double error) const {
  constexpr std::size_t rows = 24;  // rows of each mean
  const std::size_t size = history.kinetic.size();
  if (size < 2 * rows || !(history.time[size - 2 * rows] > changed)) return 0;
  const auto mean = [&](std::size_t last) {
    const auto end = history.kinetic.end() - static_cast<std::ptrdiff_t>(last);
    return std::accumulate(end - static_cast<std::ptrdiff_t>(rows), end, 0.0) / static_cast<double>(rows);
  };
  const double before = mean(rows), now = mean(0);
  const bool steady = std::abs(now - before) < error / 2;
  return steady && std::max(before, now) < expected - error ? 1 - (before + now) / (2 * expected) : 0;
}

void ParticlesRecord::describe(const PreparedParticles& prepared, double wanted_temperature,
                               ParticlesSnapshot& snapshot) const {
  snapshot.range_note = range_note;
  if (!observables) return;
  const particles::Observables& o = *observables;
  const auto count = static_cast<double>(std::max<std::size_t>(1, o.particles));
  ParticlesMeasures& measured = snapshot.measured.emplace();
  measured.temperature = o.temperature;
  measured.wanted_temperature = wanted_temperature;
  measured.pressure = o.pressure;
  measured.energy = o.energy_per_particle();
  measured.history = history;
  const double kT = prepared.world->boltzmann * wanted_temperature;
  measured.mean_kinetic = o.kinetic / count;
  measured.expected_kinetic = o.degrees_of_freedom / 2 * kT / count;
  // Velocities are drawn: without a thermostat K keeps the deviation of the draw, with one it fluctuates as much. Three
  // standard errors are exceeded by one seed in 370, though nothing is wrong; five by one in two million.
  constexpr double standard_errors = 5;
  measured.kinetic_error = particles::kinetic_scatter(o.degrees_of_freedom, kT, standard_errors) / count;
  for (std::size_t bin = 0; bin < o.speeds.values.size(); ++bin) {
    const double speed = o.speeds.middle(bin);
    double density = 0;
    for (const auto& [mass, share] : prepared.masses) density += share * particles::maxwell_density(speed, mass, kT);
    measured.speed.push_back(speed);
    measured.speed_density.push_back(o.speeds.values[bin]);
    measured.maxwell_density.push_back(density);
  }
  for (std::size_t bin = 0; bin < distribution.values.size(); ++bin) {
    measured.distance.push_back(distribution.middle(bin));
    measured.pair_distribution.push_back(distribution.values[bin]);
  }
  for (LawView& law : snapshot.laws)
    for (const particles::LawEnergy& energy : o.energies)
      if (energy.law == law.name) law.energy = energy.energy;
}

}  // namespace orrery
