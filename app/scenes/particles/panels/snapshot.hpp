/// What the panels see of the particles scene: plain values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/parameter.hpp"
#include "compute/program/build_log.hpp"
#include "ui/picture_colors.hpp"

namespace orrery {

/// A law of the world, as it runs and as it is being edited.
struct LawView {
  std::string name, title;
  bool pair = true;            ///< of any two particles; else of groups that belong together
  std::string text;            ///< that was asked for last; it runs unless it is being built or was refused
  std::uint64_t revision = 0;  ///< another text than before, and not because a person typed it
  bool building = false;
  std::string refused;                    ///< why; empty when the text runs
  std::vector<CompilerMessage> messages;  ///< in the text's own lines
  std::string unknown;                    ///< a name in the refused text that a parameter could have; mostly empty
  std::vector<ParameterView> numbers;     ///< its parameters and its cutoff; those of the scene's table
  bool can_reset = false;                 ///< it is not as it was at first
  double energy = 0;                      ///< of all particles
};

/// What has a name of its own and stands in a menu.
struct NamedEntry {
  std::string name, title, about;
};

/// What was measured with each published picture that is kept.
struct ParticlesHistory {
  std::vector<double> time, temperature, energy, kinetic, total, pressure;  ///< energies are of one particle
};

/// What was measured last, and what it is expected to be.
struct ParticlesMeasures {
  double temperature = 0, wanted_temperature = 0, energy = 0;
  std::optional<double> pressure;
  double mean_kinetic = 0;       ///< of a particle …
  double expected_kinetic = 0;   ///< … and what equipartition at the wanted temperature gives
  double kinetic_error = 0;      ///< five standard errors of the mean
  double kinetic_shortfall = 0;  ///< the part of it that is missing all the time under a thermostat; 0: none is
  std::vector<double> speed, speed_density, maxwell_density;
  std::vector<double> distance, pair_distribution;
  ParticlesHistory history;
};

struct FollowedParticle {
  std::int64_t number = 0;
  std::string kind;  ///< empty while that is not known
  std::string text;  ///< likewise: "speed 0.4, energy -1.2"
};

struct ParticlesSnapshot {
  bool paused = false;
  std::string world, about;
  std::vector<NamedEntry> worlds, ready_laws;
  std::int64_t particles = 0;
  std::int64_t step = 0;
  double time = 0;
  double steps_per_second = 0;
  std::string box;  ///< "10 × 10 × 10", "open space"
  std::vector<LawView> laws;
  double law_seconds = 0;  ///< that building and checking the last ones took
  std::string minimized;   ///< what the last minimisation has found; empty when there was none
  bool minimizing = false;
  std::string range_note;  ///< that forces left the range of their sums, one sentence; empty when they did not
  std::optional<ParticlesMeasures> measured;
  std::optional<FollowedParticle> followed;
  double picture_height = 0;  ///< length that is as wide as the picture is high, where the camera looks
  ColorScale colors;
  std::vector<NamedColor> kinds;
};

}  // namespace orrery
