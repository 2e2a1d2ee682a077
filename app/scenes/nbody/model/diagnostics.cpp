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

std::string csv_header_of_diagnostics() { return "step,time,kinetic,potential,total,px,py,pz,lx,ly,lz,virial,hash"; }

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

/// True where the bound is crossed now. `beyond`: it was crossed before.
bool crosses(double value, double bound, bool& beyond) {
  const bool was = beyond;
  beyond = was ? value > bound / 2 : value > bound;
  return beyond && !was;
}

}  // namespace

std::optional<std::string> StepWatch::look(const NbodyDiagnostics& row, double dt) {
  // A total that nearly cancels cannot serve as its own scale.
  if (!first_) first_ = {row.total(), std::max({std::abs(row.total()), 0.1 * std::abs(row.potential), 1e-300})};
  const double off = std::abs(row.total() - first_->total) / first_->scale, step = std::abs(dt);
  const std::string place = "At step " + std::to_string(row.step) + " (t = " + brief(row.time, 6) + ") ";
  const std::string remedy = ". A shorter time step or a larger softening resolves close encounters";
  const bool long_now = crosses(step / row.free_fall, most_step, step_is_long_);
  if (crosses(off, most_energy, energy_is_off_))
    return place + "the energy is off by " + brief(100 * off, 3) + " %: the time step of " + shortest(step) +
           " is too long for an encounter of bodies" + remedy;
  if (long_now)
    return place + "the time step of " + shortest(step) + " is longer than a quarter of the shortest free-fall time, " +
           brief(row.free_fall, 2) + remedy;
  return std::nullopt;
}

}  // namespace orrery
