/// The history and messages of particles, which outlive the device that computes them. Window thread.
#pragma once

#include <optional>
#include <string>

#include "scenes/particles/window/law_book.hpp"

namespace orrery {

struct ParticlesRecord {
  LawBook laws;
  double law_seconds = 0;                             ///< duration of the last build of laws
  std::optional<particles::Observables> observables;  ///< the latest ones
  particles::Histogram distribution;                  ///< the latest g(r), which is measured less often
  ParticlesHistory history;
  double changed = 0;      ///< time of the last change of settings or laws
  std::string minimized;   ///< report of the last minimisation
  std::string range_note;  ///< a note if forces left the range of their sums

  void add(particles::Observables observables);
  /// Restarts the plots, for other particles or another state of these.
  void forget_history();
  /// The constantly missing share of the kinetic energy, if it is more than chance explains; else 0.
  double kinetic_shortfall(double expected, double error) const;
  void describe(const PreparedParticles& prepared, double wanted_temperature, ParticlesSnapshot& snapshot) const;
};

}  // namespace orrery
