// What panels are told of the running particles.
#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "scene/history.hpp"
#include "scenes/particles/laws/laws.hpp"
#include "scenes/particles/window/engine.hpp"
#include "scenes/particles/world/world_file.hpp"

namespace orrery {
namespace {

std::string box_text(const particles::Box& box) {
  if (!box.lengths) return "open space";
  const auto& l = *box.lengths;
  return brief(l[0], 4) + " × " + brief(l[1], 4) + " × " + brief(l[2], 4);
}

std::vector<NamedEntry> world_list() {
  std::vector<NamedEntry> list;
  for (const particles::WorldEntry& entry : particles::known_worlds()) list.push_back({entry.name, entry.about});
  return list;
}

}  // namespace

void ParticlesEngine::record() {
  const particles::Observables& o = observables_;
  if (!history_.time.empty() && history_.time.back() == o.time) return;
  const double count = static_cast<double>(std::max<std::size_t>(1, o.particles));
  const auto add = [](std::vector<double>& column, double value) {
    make_room({&column});
    column.push_back(value);
  };
  add(history_.time, o.time);
  add(history_.temperature, o.temperature);
  add(history_.energy, o.potential / count);
  add(history_.kinetic, o.kinetic / count);
  add(history_.total, o.total() / count);
  add(history_.pressure, o.pressure.value_or(std::nan("")));
}

double ParticlesEngine::reference_temperature() const {
  if (!running_) return settings_.temperature;
  const bool drifts = settings_.thermostat == "none" && !laws_.running().pairs.empty();
  if (drifts && observed_once_) return observables_.temperature;
  return ensemble_of(settings_, running_->prepared.world->ensemble).temperature_at(shown_clock_.time);
}

std::string ParticlesEngine::status() const {
  if (preparation_.busy()) return "preparing " + settings_.world;
  if (building_.busy()) return "building the laws";
  return minimizing() ? "minimising" : "";
}

void ParticlesEngine::describe(ParticlesSnapshot& snapshot) const {
  static const std::vector<NamedEntry> worlds = world_list();
  snapshot.worlds = worlds;
  for (const particles::PairLaw& law : particles::ready_pair_laws()) snapshot.ready_laws.push_back({law.name, {}});
  snapshot.paused = paused_;
  snapshot.world = running_ ? good_.world : settings_.world;
  snapshot.laws = laws_.views(building_.busy());
  snapshot.law_seconds = law_seconds_;
  snapshot.minimized = minimized_;
  snapshot.minimizing = minimizing();
  if (!running_) return;
  const particles::World& world = *running_->prepared.world;
  snapshot.about = world.about;
  snapshot.particles = static_cast<std::int64_t>(running_->prepared.engine->size());
  snapshot.box = box_text(world.box);
  snapshot.step = shown_clock_.step;
  snapshot.time = shown_clock_.time;
  snapshot.range_note = range_note_;
  snapshot.burst_progress = bursting_ && !job_.busy() ? running_->prepared.engine->burst_progress() : 1;
  if (observed_once_) describe_measures(snapshot);
  if (rates_.size() < 2) return;
  // From the first one's completion on, so that its own work is not of the interval.
  const double interval = rates_.back().when - rates_.front().when;
  for (std::size_t i = 1; i < rates_.size() && interval > 0; ++i)
    snapshot.steps_per_second += rates_[i].steps / interval;
}

void ParticlesEngine::describe_measures(ParticlesSnapshot& snapshot) const {
  const particles::Observables& o = observables_;
  const auto count = static_cast<double>(std::max<std::size_t>(1, o.particles));
  const particles::World& world = *running_->prepared.world;
  snapshot.measured = true;
  snapshot.temperature = o.temperature;
  snapshot.wanted_temperature = reference_temperature();
  snapshot.has_pressure = o.pressure.has_value();
  snapshot.pressure = o.pressure.value_or(0);
  snapshot.energy = o.energy_per_particle();
  snapshot.history = history_;
  const double kT = world.boltzmann * snapshot.wanted_temperature;
  snapshot.mean_kinetic = o.kinetic / count;
  snapshot.expected_kinetic = o.degrees_of_freedom / 2 * kT / count;
  // Velocities are drawn: without a thermostat K is that of the draw for ever, with one it fluctuates as much. Three
  // standard errors are exceeded by one seed in 370, though nothing is wrong; five by one in two million.
  constexpr double standard_errors = 5;
  snapshot.kinetic_error = particles::kinetic_scatter(o.degrees_of_freedom, kT, standard_errors) / count;
  for (std::size_t bin = 0; bin < o.speeds.values.size(); ++bin) {
    const double speed = o.speeds.middle(bin);
    double density = 0;
    for (const auto& [mass, share] : running_->prepared.masses)
      density += share * particles::maxwell_density(speed, mass, kT);
    snapshot.speed.push_back(speed);
    snapshot.speed_density.push_back(o.speeds.values[bin]);
    snapshot.maxwell_density.push_back(density);
  }
  for (std::size_t bin = 0; bin < distribution_.values.size(); ++bin) {
    snapshot.distance.push_back(distribution_.middle(bin));
    snapshot.pair_distribution.push_back(distribution_.values[bin]);
  }
  for (LawView& law : snapshot.laws)
    for (const particles::LawEnergy& energy : o.energies)
      if (energy.law == law.name) law.energy = energy.energy;
}

}  // namespace orrery
