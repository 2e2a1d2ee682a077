/// What is told of particles over time, and outlives the device that computes them. Window thread.
#pragma once

#include <optional>
#include <string>

#include "scenes/particles/window/law_book.hpp"

namespace orrery {

struct ParticlesRecord {
  LawBook laws;
  double law_seconds = 0;                             ///< that the last laws took to build
  std::optional<particles::Observables> observables;  ///< the last ones
  particles::Histogram distribution;                  ///< the last g(r), which is measured less often
  ParticlesHistory history;
  double changed = 0;      ///< the time at which settings or laws were changed last
  std::string minimized;   ///< what the last minimisation has found
  std::string range_note;  ///< that forces have left the range of their sums

  void add(particles::Observables observables);
  /// Other particles, or others of their states: the plots begin anew.
  void forget_history();
  /// The part of the kinetic energy that is missing all the time, where it is more than chance explains; else 0.
  double kinetic_shortfall(double expected, double error) const;
  void describe(const PreparedParticles& prepared, double wanted_temperature, ParticlesSnapshot& snapshot) const;
};

}  // namespace orrery
