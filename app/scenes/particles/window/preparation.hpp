/// The slow part of beginning with particles, for a worker thread: a world is read, its laws are compiled, buffers are
/// made.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "base/work/announced.hpp"
#include "compute/program/program_plan.hpp"
#include "scenes/particles/model/engine.hpp"
#include "scenes/particles/window/settings.hpp"
#include "scenes/particles/world/edited_laws.hpp"

namespace orrery {

using particles::EditedLaws;

/// The particles of a moment on the host, which survive a change of device or precision.
struct ParticlesState {
  std::shared_ptr<const particles::World> world;
  EditedLaws laws;                     ///< the laws that run in place of the world's
  std::optional<EditedLaws> own_laws;  ///< of the world's file; nothing where that is unknown
  particles::Snapshot moment;
};

struct ParticlesRequest {
  ParticlesSettings settings;
  std::shared_ptr<const particles::World> world;         ///< null: the world that the settings name is read
  std::optional<particles::Snapshot> moment;             ///< null: the world's own particles
  std::map<std::string, Value, std::less<>> given = {};  ///< parameters that override the world's own
  std::optional<EditedLaws> laws = {};                   ///< null: the world's own
  std::optional<EditedLaws> own_laws = {};               ///< of the file of the world, where that has been read before
};

/// A world, and the numbers that drawing its particles needs.
struct SeenWorld {
  std::shared_ptr<const particles::World> world;
  double largest_charge = 1;                      ///< absolute value; 1 where there are no charges
  double extent = 1;                              ///< half the box's diagonal; else nine particles in ten are within
  std::vector<std::pair<double, double>> masses;  ///< of moving particles, with their shares; at most 16
};

/// What a simulation begins from.
struct ParticlesStart {
  std::string world;                            ///< its name
  std::shared_ptr<const ParticlesState> state;  ///< in place of the world's own particles; may be null
  bool operator==(const ParticlesStart&) const = default;
};
/// The particles at the beginning, as the kernel `publish` publishes them where no energy is known.
struct ParticlesSketch : SeenWorld {
  std::string name;  ///< of the world
  std::vector<std::array<float, 4>> published;
  std::size_t size() const { return published.size() / 2; }
};
/// Any thread; throws Error.
ParticlesSketch sketch_particles(const ParticlesStart& start);

/// Particles that are ready to run.
struct PreparedParticles : SeenWorld {
  std::shared_ptr<particles::Engine> engine;
  ParticlesSettings settings;
  std::optional<EditedLaws> own_laws;  ///< of the world's file; nothing where that is unknown
  bool minimize = false;               ///< the particles have to be brought to rest first
};

/// `plan`, unless it is null, is told the programs before the first is built. Any thread; throws Error.
PreparedParticles prepare_particles(ProgramLibrary& programs, const ParticlesRequest& request,
                                    Announced<ProgramPlan>* plan = nullptr);

/// Other laws for the particles of a world, compiled and checked.
struct PreparedLaws {
  std::shared_ptr<particles::LawKernels> kernels;
  std::shared_ptr<const particles::World> world;
  std::shared_ptr<particles::Neighbours> lists;  ///< null where the cutoff is the same
  double seconds = 0;                            ///< that building took
};
struct LawsRequest {
  std::shared_ptr<const particles::World> world;
  EditedLaws laws;
  std::shared_ptr<const particles::Engine> engine;  ///< the engine that is to use the laws
  bool other_cutoff = false;                        ///< than the engine has
};
/// `plan` is told the programs before the first is built. Any thread; throws Error.
PreparedLaws prepare_laws(ProgramLibrary& programs, const LawsRequest& request, Announced<ProgramPlan>& plan);

/// A minimisation on its way, for people and as a picture.
struct MinimizeSight {
  particles::MinimizeProgress progress;
  std::shared_ptr<const std::vector<std::array<float, 4>>> published;  ///< the particles a moment ago
};
/// Moves the particles to a state of less energy; returns what was found, for people. Waits on a queue of its own:
/// nothing else may use the engine meanwhile.
std::string minimize(particles::Engine& engine, const Device& device, Announced<MinimizeSight>& sight);

}  // namespace orrery
