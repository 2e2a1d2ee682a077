/// Particles on a device and the bursts of time steps that move them, under laws that may change while they run.
///
/// Owns every device buffer. Particles keep their index (their identity) wherever they are stored: values that are
/// published, read or selected are in the order of World::particles; only the copies for the forces follow a
/// space-filling curve. Made on any thread (waits for compiler and device), then used by the thread that owns the
/// queue. Only the constructor, restore(), minimize() and the functions called *_blocking wait.
#pragma once

#include <array>
#include <functional>
#include <memory>

#include "base/error.hpp"
#include "compute/queue/host_mirror.hpp"
#include "scenes/particles/model/law_kernels.hpp"
#include "scenes/particles/model/observables.hpp"
#include "scenes/particles/world/world.hpp"

namespace orrery::particles {

/// Bytes that publish() writes per particle, in two blocks of one float4 per particle: first every (x, y, z, radius)
/// inside the box, then every (speed, charge, energy, kind). The energy is that of the last observed step: half of each
/// pair's, and an equal share of a group's for each member.
inline constexpr std::size_t published_bytes = 2 * sizeof(cl_float4);

struct EngineClock {
  std::int64_t step = 0;
  double time = 0;
};

struct ParticleBurst {
  std::int64_t steps = 1;  ///< 0 only evaluates forces
  bool observe = false;    ///< energies at the end, for observe() and the published energy, at a small cost
};

/// A complete state, on the host and in double; restore() takes it on any device.
struct Snapshot {
  EngineClock clock;
  std::vector<Vector> position, velocity;
  std::optional<int> force_exponent = {};  ///< for a continuation with the same bits
  bool operator==(const Snapshot&) const;
};

/// Forces left the range of the unit of their sums, and the engine chose a new unit. Nothing is lost:
/// the step that used the old unit is computed again.
struct RangeChanges {
  std::int64_t times = 0;
  std::int64_t step = 0;  ///< step of the last change
  bool grown = false;     ///< forces were too large at the last change; false: too small
};
/// One sentence; empty if there were no changes.
std::string sentence_of(const RangeChanges& changes);

struct Minimized {
  double before = 0, after = 0;  ///< potential energy
  double largest_force = 0;      ///< after the minimisation
  std::int64_t steps = 0;
  std::size_t overlapping = 0;  ///< pairs that overlap so far that forces cannot separate them
  double closest = 0;           ///< their smallest distance
};

/// The progress of a minimisation.
struct MinimizeProgress {
  std::int64_t step = 0, most_steps = 0;
  double largest_force = 0, wanted_force = 0;  ///< it ends where the first is not larger
};

class Neighbours;

/// A law's force was NaN or infinite, or constraints could not be kept: the device is not at fault. Particles are as
/// before the failed step.
class CannotGoOn : public Error {
 public:
  CannotGoOn(std::string what, std::string advice) : Error(failure(std::move(what), std::move(advice))) {}
};

class Engine {
 public:
  /// Throws a usage Error for a world that check() refuses, and for laws that are refused.
  Engine(ProgramLibrary& programs, World world, const ForceVariant& variant);
  /// The programs that the constructor builds. Throws as the constructor does where a law's text is refused.
  static std::vector<ProgramPlan::Part> programs(ProgramLibrary& library, const World& world,
                                                 const ForceVariant& variant);
  /// Uses compiled laws of the same world and variant.
  Engine(ProgramLibrary& programs, World world, std::shared_ptr<LawKernels> laws);
  ~Engine();
  Engine(Engine&&) noexcept;
  Engine& operator=(Engine&&) noexcept;

  const World& world() const;  ///< with the initial particles
  std::size_t size() const;
  const ForceVariant& variant() const;
  EngineClock clock() const;  ///< at the end of the enqueued bursts

  // Between bursts; effective from the next step on.

  /// Takes other laws for the same particles and groups. Refused laws never get here: the old ones keep running.
  /// Laws with another cutoff come with their lists; without lists it throws an Error, and the old ones keep running.
  void use(std::shared_ptr<LawKernels> laws, const World& with, std::shared_ptr<Neighbours> lists = {});
  /// Adds the kernel from build_unobserved_pairs() to the laws in use.
  void take_unobserved_pairs(cl::Kernel kernel);
  /// Neighbour lists for laws with another cutoff. On any thread, while the engine runs: compiles if necessary.
  std::shared_ptr<Neighbours> lists_for(ProgramLibrary& programs, const World& with) const;
  /// Throws a usage Error for an unknown law or parameter, or a value out of range.
  void set_parameter(std::string_view law, std::string_view name, double value);
  /// dt, temperature, thermostat …
  void set_ensemble(const Ensemble& ensemble);

  /// Plans a burst and enqueues nothing.
  void begin_burst(const ParticleBurst& burst);
  /// Enqueues as much of the burst as fits into `budget` seconds of device time, at least one launch, by the profiler's
  /// estimates. Returns true when the whole burst is enqueued.
  bool enqueue_slice(Queue& queue, double budget);
  bool burst_enqueued() const;
  double burst_progress() const;  ///< enqueued so far, 0 … 1
  /// After an enqueued burst has completed: throws CannotGoOn. Enlarges neighbour lists that were too short; the steps
  /// that were not taken because of this are subtracted from the clock and belong to the next burst.
  void collect(Queue& queue);
  const RangeChanges& range_changes() const;  ///< since the first forces
  /// After collect(): true if no step was left out, and forces and energies are those of the present.
  bool settled() const;

  /// Writes into a buffer of size() · published_bytes.
  void publish(Queue& queue, const cl::Buffer& surface);
  /// Begins the reductions and their reads; one at a time. g(r) is optional and costs about a step.
  void observe(Queue& queue, bool with_pair_distribution);
  bool observed() const;
  /// The result of the last observe(), after observed().
  Observables observables() const;

  Snapshot snapshot_blocking(Queue& queue);
  void restore(Queue& queue, const Snapshot& snapshot);
  /// Forces on every particle at the present positions, which the energies of observe() also refer to.
  std::vector<Vector> forces_blocking(Queue& queue);
  /// Steepest descent until no force exceeds this number of thermal ones (each kT over the usual distance of
  /// neighbours), or for this number of steps.
  Minimized minimize(Queue& queue, double thermal_forces, std::int64_t most_steps,
                     const std::function<void(const MinimizeProgress&)>& progress = {});

 private:
  friend class Download;
  struct State;
  std::unique_ptr<State> state_;
};

/// The particles of an engine on their way to the host. Nothing waits.
class Download {
 public:
  /// Makes room for the particles of this engine. All reads go through this queue.
  Download(const Device& device, Queue& queue, const Engine& engine);
  /// True if there is room for the particles of this engine.
  bool fits(const Engine& engine) const;
  /// Enqueues the reads; the engine is between bursts.
  void begin(Queue& queue, const Engine& engine);
  /// True if the reads have ended, possibly with an error.
  bool complete() const;
  /// True if the reads have succeeded.
  bool arrived() const;
  /// Device time of the reads, after arrived(); an estimate where the driver reports no times.
  double seconds() const;
  /// After arrived(). Any thread.
  Snapshot snapshot() const;

 private:
  std::size_t count_;
  Precision wide_;
  EngineClock clock_;
  int force_exponent_ = 0;
  HostMirror positions_, velocities_;
  std::array<cl::Event, 2> reads_;
};

/// Runs the whole burst and waits for it; `between` is called after each slice, of about `slice` seconds.
void run_burst(Engine& engine, Queue& queue, const ParticleBurst& burst, const std::function<void()>& between = {},
               double slice = 0.25);
/// Observes, and waits for the result.
Observables observe_blocking(Engine& engine, Queue& queue, bool with_pair_distribution = false);

}  // namespace orrery::particles
