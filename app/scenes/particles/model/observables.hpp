/// Measurements of a state: plain snapshots for panels, files and tests.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace orrery::particles {

struct LawEnergy {
  std::string law;
  double energy = 0;  ///< total of all particles
};

/// Equal bins from 0 on.
struct Histogram {
  double width = 0;  ///< width of a bin
  std::vector<double> values = {};
  double middle(std::size_t bin) const { return (static_cast<double>(bin) + 0.5) * width; }
};

struct Observables {
  std::int64_t step = 0;
  double time = 0;
  std::size_t particles = 0;
  double kinetic = 0;
  double potential = 0;             ///< includes tail corrections
  std::vector<LawEnergy> energies;  ///< pair laws in their order, then group laws
  double temperature = 0;           ///< 2K / (degrees of freedom · k)
  std::optional<double> pressure;   ///< from the virial, includes tail and constraints; nothing in open space
  std::array<double, 3> momentum{};
  double mass = 0;
  double degrees_of_freedom = 0;
  std::int64_t broken = 0;      ///< particles with NaN or infinity
  double constraint_error = 0;  ///< largest |r − d| / d
  Histogram speeds;             ///< probability density
  Histogram pair_distribution;  ///< g(r) up to the cutoff; empty unless requested

  double total() const { return kinetic + potential; }
  double energy_per_particle() const { return particles > 0 ? potential / static_cast<double>(particles) : 0; }
};

/// Maxwell's density of speeds v ≥ 0 for one mass: the limit of `speeds` in equilibrium.
double maxwell_density(double speed, double mass, double kT);

/// One line of --diagnostics, without its line end; 17 significant digits:
/// step,time,kinetic,potential,total,temperature,pressure,px,py,pz, then a column for each law.
std::string csv_header(const Observables& row);
std::string csv_row(const Observables& row);

}  // namespace orrery::particles
