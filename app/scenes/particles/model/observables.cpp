#include "scenes/particles/model/observables.hpp"

#include <cmath>
#include <numbers>

#include "base/text.hpp"

namespace orrery::particles {

double maxwell_density(double speed, double mass, double kT) {
  const double a = mass / kT;
  return std::sqrt(2 / std::numbers::pi) * std::pow(a, 1.5) * speed * speed * std::exp(-a * speed * speed / 2);
}

std::string csv_header(const Observables& row) {
  std::string text = "step,time,kinetic,potential,total,temperature,pressure,px,py,pz";
  for (const LawEnergy& e : row.energies) text += "," + e.law;
  return text;
}

// An unknown pressure is an empty field.
std::string csv_row(const Observables& row) {
  std::string text = std::to_string(row.step);
  for (const double value : {row.time, row.kinetic, row.potential, row.total(), row.temperature})
    text += "," + digits17(value);
  text += "," + (row.pressure ? digits17(*row.pressure) : std::string());
  for (const double p : row.momentum) text += "," + digits17(p);
  for (const LawEnergy& e : row.energies) text += "," + digits17(e.energy);
  return text;
}

}  // namespace orrery::particles
