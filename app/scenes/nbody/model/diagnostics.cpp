#include "scenes/nbody/model/diagnostics.hpp"

#include <algorithm>
#include <cmath>

#include "base/text.hpp"

namespace orrery {

LogSpread log_spread(double count, double sum, double squares) {
  if (!(count > 0)) return {};
  const double mean = sum / count;
  return {mean, std::sqrt(std::max(0.0, squares / count - mean * mean)), true};
}

LogSpread log_spread(std::span<const double> values) {
  double count = 0, sum = 0, squares = 0;
  for (const double value : values) {
    if (!(value > 0) || !std::isfinite(value)) continue;
    const double logarithm = std::log(value);
    ++count;
    sum += logarithm;
    squares += logarithm * logarithm;
  }
  return log_spread(count, sum, squares);
}

double NbodyDiagnostics::virial() const { return potential != 0 ? 2 * kinetic / std::abs(potential) : 0; }

std::string csv_header_of_diagnostics(std::string_view units) {
  const std::string comment = units.empty() ? "" : "# " + std::string(units) + "\n";
  return comment + "step,time,kinetic,potential,total,px,py,pz,lx,ly,lz,virial,hash";
}

std::string csv_row(const NbodyDiagnostics& row) {
  std::string line = std::to_string(row.step);
  const auto add = [&](double value) { line += "," + digits17(value); };
  for (const double value : {row.time, row.kinetic, row.potential, row.total()}) add(value);
  for (const double value : row.momentum) add(value);
  for (const double value : row.angular_momentum) add(value);
  add(row.virial());
  return line + "," + std::to_string(row.hash);
}

// ---- steps that are too long

namespace {

/// True if the bound is crossed now. `beyond`: it was crossed before.
bool crosses(double value, double bound, bool& beyond) {
  const bool was = beyond;
  beyond = was ? value > bound / 2 : value > bound;
  return beyond && !was;
}

constexpr const char* remedy_of_encounters = ". A shorter time step or a larger softening resolves close encounters";

/// The limit of the integrator, for a wrong energy without an encounter.
std::string limit_of(const Integrator& integrator, const std::string& step) {
  const std::string name(integrator.name);
  if (integrator.order == 1)
    return "the integrator " + name +
           " is of first order, and its error grows with time. Leapfrog takes as long per "
           "step and keeps the energy";
  return "the time step of " + step + " is at the limit of the integrator " + name + ", which is of order " +
         std::to_string(integrator.order) + ". Half the time step makes the error some " +
         std::to_string(1 << integrator.order) + " times smaller";
}

}  // namespace

std::optional<std::string> StepWatch::look(const NbodyDiagnostics& row, double dt, double softening,
                                           const Integrator& integrator, bool keeps_energy) {
  if (softening == 0 && !crowd_.empty())
    return std::exchange(crowd_is_told_, true) ? std::nullopt : std::optional(crowd_);
  // A total that nearly cancels cannot serve as its own scale.
  if (!first_ || !keeps_energy)
    first_ = {row.total(), std::max({std::abs(row.total()), 0.1 * std::abs(row.potential), 1e-300})};
  const double off = std::abs(row.total() - first_->total) / first_->scale, step = std::abs(dt);
  const std::string place = "At step " + std::to_string(row.step) + " (t = " + brief(row.time, 6) + ") ";
  const double of_fall = step / row.free_fall;
  longest_step_ = std::max(longest_step_, of_fall);
  const bool long_now = crosses(of_fall, most_step, step_is_long_);
  if (crosses(off, most_energy, energy_is_off_)) {
    const std::string cause =
        dt == 0 ? "the steps of bodies are too long. Half the step accuracy makes the error some 4 times smaller"
        : longest_step_ > encounter
            ? "the time step of " + shortest(step) + " is too long for an encounter of bodies" + remedy_of_encounters
            : limit_of(integrator, shortest(step));
    return place + "the energy is off by " + brief(100 * off, 3) + " %: " + cause;
  }
  if (long_now)
    return place + "the time step of " + shortest(step) + " is longer than a quarter of the shortest free-fall time, " +
           brief(row.free_fall, 2) + remedy_of_encounters;
  return std::nullopt;
}

}  // namespace orrery
