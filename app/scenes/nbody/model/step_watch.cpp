#include "scenes/nbody/model/step_watch.hpp"

#include <algorithm>
#include <cmath>

#include "base/text.hpp"

namespace orrery {
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
