/// Everything slow about particles, done on a worker thread: reading a world, compiling its laws, making buffers.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "scenes/particles/model/engine.hpp"
#include "scenes/particles/window/settings.hpp"

namespace orrery {

/// Laws as a person has changed them; those of the same name of the world stand behind.
struct EditedLaws {
  std::vector<particles::PairLaw> pairs;
  std::vector<particles::GroupLaw> groups;
  bool operator==(const EditedLaws&) const = default;
};
EditedLaws laws_of(const particles::World& world);
/// The world under these laws.
particles::World with_laws(const particles::World& world, const EditedLaws& laws);

/// Particles of a moment, on the host: what survives a change of device or precision.
struct ParticlesState {
  std::shared_ptr<const particles::World> world;
  EditedLaws laws;  ///< that run, in place of the world's
  particles::Snapshot moment;
};

struct ParticlesRequest {
  ParticlesSettings settings;
  std::shared_ptr<const particles::World> world;  ///< null: the one that the settings name is read
  std::optional<particles::Snapshot> moment;      ///< from which it goes on
  std::map<std::string, Value> given = {};        ///< parameters that count more than the world's own
  std::optional<EditedLaws> laws = {};            ///< in place of the world's
};

/// Particles that are ready to run.
struct PreparedParticles {
  std::shared_ptr<particles::Engine> engine;
  std::shared_ptr<const particles::World> world;
  ParticlesSettings settings;
  bool minimize = false;                          ///< the world asks for that, and it has not been done
  double largest_charge = 1;                      ///< of either sign; 1 where there are none
  double extent = 1;                              ///< half of the box's diagonal; nine particles in ten are within
  std::vector<std::pair<double, double>> masses;  ///< of those that move, and what share has it; at most 16
};

/// Any thread; throws Error.
PreparedParticles prepare_particles(ProgramLibrary& programs, const ParticlesRequest& request);

/// Other laws for the particles of a world, tried. Any thread; throws Error.
struct PreparedLaws {
  std::shared_ptr<particles::LawKernels> kernels;
  std::shared_ptr<const particles::World> world;
  std::shared_ptr<particles::Neighbours> lists;  ///< where the cutoff is another
  double seconds = 0;                            ///< that it took
};
struct LawsRequest {
  std::shared_ptr<const particles::World> world;
  EditedLaws laws;
  std::shared_ptr<const particles::Engine> engine;  ///< that is to take them
  bool other_cutoff = false;                        ///< than it has
};
PreparedLaws prepare_laws(ProgramLibrary& programs, const LawsRequest& request);

/// To a state of less energy; what has been found, for people. Waits on a queue of its own: nobody else may use the
/// engine meanwhile.
std::string minimize(particles::Engine& engine, const Device& device);

}  // namespace orrery
