/// The state that the panels of the particles scene show. Plain values.
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
  bool pair = true;            ///< law of any two particles; else of groups that belong together
  std::string text;            ///< last requested text; it runs unless it is being built or was refused
  std::uint64_t revision = 0;  ///< another text than before, and not because a person typed it
  bool building = false;
  std::string refused;                    ///< reason of the refusal; empty when the text runs
  std::vector<CompilerMessage> messages;  ///< in the text's own lines
  std::string unknown;                    ///< a name in the refused text that a parameter could have; mostly empty
  std::vector<ParameterView> numbers;     ///< parameters and cutoff of the law, from the scene's table
  bool can_reset = false;                 ///< the law differs from its original
  double energy = 0;                      ///< energy of all particles
};

/// An entry of a menu of worlds or laws.
struct NamedEntry {
  std::string name, title, about;
};

/// Measurements of the kept published pictures.
struct ParticlesHistory {
  std::vector<double> time, temperature, energy, kinetic, total, pressure;  ///< energies are of one particle
};

/// The last measurements, with their expected values.
struct ParticlesMeasures {
  double temperature = 0, wanted_temperature = 0, energy = 0;
  std::optional<double> pressure;
  double mean_kinetic = 0;       ///< kinetic energy per particle
  double expected_kinetic = 0;   ///< the same by equipartition at the wanted temperature
  double kinetic_error = 0;      ///< five standard errors of the mean
  double kinetic_shortfall = 0;  ///< the part of it that is missing all the time under a thermostat; 0: none is
  std::vector<double> speed, speed_density, maxwell_density;
  std::vector<double> distance, pair_distribution;
  ParticlesHistory history;
};

struct FollowedParticle {
  std::int64_t number = 0;
  std::string kind;  ///< empty while that is not known
  std::string text;  ///< "speed 0.4, energy -1.2"; empty while unknown
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
  double law_seconds = 0;  ///< duration of building and checking the last laws
  std::string minimized;   ///< result of the last minimisation; empty without one
  bool minimizing = false;
  std::string range_note;  ///< warning that forces left the range of their sums, one sentence; else empty
  std::optional<ParticlesMeasures> measured;
  std::optional<FollowedParticle> followed;
  double picture_height = 0;  ///< length that is as wide as the picture is high, where the camera looks
  ColorScale colors;
  std::vector<NamedColor> kinds;
};

}  // namespace orrery
