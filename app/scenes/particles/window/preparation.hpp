/// The slow part of starting particles, for a worker thread: reads a world, compiles its laws and makes buffers.
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
  EditedLaws laws;                     ///< the running laws
  std::optional<EditedLaws> own_laws;  ///< those of the world's file; nothing if unknown
  particles::Snapshot moment;
};

struct ParticlesRequest {
  ParticlesSettings settings;
  std::shared_ptr<const particles::World> world;         ///< null: the world that the settings name is read
  std::optional<particles::Snapshot> moment;             ///< null: the world's own particles
  std::map<std::string, Value, std::less<>> given = {};  ///< parameters that override the world's own
  std::optional<EditedLaws> laws = {};                   ///< null: the world's own
  std::optional<EditedLaws> own_laws = {};               ///< those of the world's file, if already read
};

/// A world, and the numbers that drawing its particles needs.
struct SeenWorld {
  std::shared_ptr<const particles::World> world;
  double largest_charge = 1;                      ///< absolute value; 1 where there are no charges
  double extent = 1;                              ///< half the box's diagonal; else nine particles in ten are within
  std::vector<std::pair<double, double>> masses;  ///< masses of moving particles and their shares; at most 16
};

/// The start of a simulation.
struct ParticlesStart {
  std::string world;                            ///< its name
  std::shared_ptr<const ParticlesState> state;  ///< replaces the world's own particles; may be null
  bool operator==(const ParticlesStart&) const = default;
};
/// The particles at the beginning, as the kernel `publish` publishes them where no energy is known.
struct ParticlesSketch : SeenWorld {
  std::string name;  ///< name of the world
  std::vector<std::array<float, 4>> published;
  std::size_t size() const { return published.size() / 2; }
};
/// Any thread; throws Error.
ParticlesSketch sketch_particles(const ParticlesStart& start);

/// Particles that are ready to run.
struct PreparedParticles : SeenWorld {
  std::shared_ptr<particles::Engine> engine;
  ParticlesSettings settings;
  std::optional<EditedLaws> own_laws;  ///< those of the world's file; nothing if unknown
  bool minimize = false;               ///< the energy has to be minimised first
};

/// `plan`, unless null, receives the programs before the first is built. Any thread; throws Error.
PreparedParticles prepare_particles(ProgramLibrary& programs, const ParticlesRequest& request,
                                    Announced<ProgramPlan>* plan = nullptr);

/// Other laws for the particles of a world, compiled and checked.
struct PreparedLaws {
  std::shared_ptr<particles::LawKernels> kernels;
  std::shared_ptr<const particles::World> world;
  std::shared_ptr<particles::Neighbours> lists;  ///< null where the cutoff is the same
  double seconds = 0;                            ///< duration of the build
};
struct LawsRequest {
  std::shared_ptr<const particles::World> world;
  EditedLaws laws;
  std::shared_ptr<const particles::Engine> engine;  ///< the engine that is to use the laws
  bool other_cutoff = false;                        ///< the cutoff differs from the engine's
};
/// `plan` receives the programs before the first is built. Any thread; throws Error.
PreparedLaws prepare_laws(ProgramLibrary& programs, const LawsRequest& request, Announced<ProgramPlan>& plan);

/// A minimisation in progress, for the panels and as a picture.
struct MinimizeSight {
  particles::MinimizeProgress progress;
  std::shared_ptr<const std::vector<std::array<float, 4>>> published;  ///< the particles a moment ago
};
/// Moves the particles to a state of lower energy; returns a report for the user. Waits on its own queue: nothing else
/// may use the engine meanwhile.
std::string minimize(particles::Engine& engine, const Device& device, Announced<MinimizeSight>& sight);

}  // namespace orrery
