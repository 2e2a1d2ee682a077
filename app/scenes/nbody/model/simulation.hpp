/// Bodies on one device or several, and the bursts of time steps that move them.
///
/// Owns the state. Between bursts it belongs to one moment and is complete on the first device: clients that draw,
/// observe or read it need not know the other devices. The bits do not depend on the number of devices of one kind.
/// Where several processes share the bodies, all take the same bursts, and the first one's first device has the state.
/// Made on any thread; used by the thread that owns the first device's queue, which is the caller's.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "compute/queue/host_mirror.hpp"
#include "scenes/nbody/bodies/body.hpp"
#include "scenes/nbody/model/block_burst.hpp"
#include "scenes/nbody/model/crew.hpp"
#include "scenes/nbody/model/exact.hpp"

namespace orrery {

struct Burst {
  std::int64_t steps = 1;  ///< 0 only evaluates the field
  double dt = 0;           ///< negative plays time backwards
  double softening = 0;
  bool potential = true;  ///< the end of the burst includes the potential: its evaluation takes 1.4 times as long
  double gravity = 1;     ///< G
  NbodyTouch touch = {};
  double accuracy = 0.2;  ///< accuracy of individual steps; see NbodyBlockTerms
};

struct NbodyBuffers {
  const cl::Buffer& positions;
  const cl::Buffer& velocities;
  const cl::Buffer& accelerations;
};

/// In mixed precision, corrections to be added to positions and velocities (real4, w = 0); else null.
struct NbodyCorrections {
  const cl::Buffer& positions;
  const cl::Buffer& velocities;
};

/// The number of bodies, and of those up to the last one that pulls: sources_of(Bodies).
struct NbodyCount {
  std::size_t bodies = 0, sources = 0;
};

class NbodySimulation {
 public:
  /// Allocates and uploads, and waits for it.
  NbodySimulation(const Device& device, const Bodies& bodies, Precision precision, NbodyClock clock = {});
  NbodySimulation(std::span<const Device> devices, const Bodies& bodies, Precision precision, NbodyClock clock = {},
                  Exchange exchange = Exchange::host, NbodyCompany company = {});
  /// Allocates, for bodies that restore() gives.
  NbodySimulation(std::span<const Device> devices, const NbodyCount& count, Precision precision, NbodyClock clock,
                  Exchange exchange, NbodyCompany company);

  /// Takes other kernels of the same precision, one for each device; between bursts. The trajectory continues. Waits
  /// where bodies move to other devices: at first, and when several devices sum forces in another way or at another
  /// speed.
  void use(std::vector<NbodyKernels> kernels);
  void use(NbodyKernels kernels);
  const NbodyKernels& kernels(std::size_t device = 0) const { return members_[device].kernels(); }

  /// Changes the accuracy of the tree, between bursts, and waits; the field has to be evaluated again then. Where
  /// `errors` were measured with it, `wanted_error` is held from now on (tree_control.hpp).
  void set_accuracy(const TreeAccuracy& accuracy, double wanted_error = 0, std::span<const double> errors = {});

  /// Continues with the memory of a tree that held the same error for the same bodies at the same moment; else returns
  /// false and changes nothing. Between bursts; waits.
  bool resume_tree(const TreeAccuracy& accuracy, double wanted_error, const TreeMemory& memory);
  /// Enqueues the reads of the tree's memory; see TreeControl::read(). Does nothing if no error is held.
  void read_tree(Queue& queue, TreeMemory& into, std::vector<cl::Event>& reads) const;

  /// The error of a tree that holds one (TreeControl::found()). Waits for `queue`, of the first device.
  std::optional<double> tree_error(Queue& queue) const { return state().found_error(queue); }

  /// Between bursts, after one with the potential. Waits for `queue`, of the first device.
  NbodyExact exact(Queue& queue) const;
  /// The same without its rows, and bytes of one row from `offset` on.
  NbodyExact exact_terms(Queue& queue) const;
  void read_row(Queue& queue, std::size_t row, std::size_t offset, std::span<std::byte> into) const;
  /// Between bursts, after use(); waits. On several processes all take the same.
  void restore(const NbodyExact& exact);

  /// Between bursts; waits. Positions and velocities take these bits, in the layout of rows_of(); empty rows change
  /// nothing.
  void set_rows(std::span<const std::vector<std::byte>> rows);

  std::size_t bodies() const { return count_; }
  /// The bodies up to the last one that has mass: those behind it pull nothing, and cost nothing as sources.
  std::size_t sources() const { return sources_; }
  Precision precision() const { return precision_; }
  const NbodyClock& clock() const { return clock_; }
  const NbodyCompany& company() const { return company_; }
  /// True if each device moves all bodies, as with a tree or individual steps, and has the whole state.
  bool moves_all() const { return state().moves_all(); }
  /// The devices of this process.
  std::size_t devices() const { return members_.size(); }
  /// The number of bodies whose field a device sums, or with pairs, that it moves.
  std::size_t worked_for(std::size_t device) const { return members_[device].worked_for(); }
  /// The state on the first device.
  NbodyBuffers buffers() const { return {state().positions(present_), state().velocities(), state().accelerations()}; }
  NbodyCorrections corrections() const {
    return {state().position_corrections(present_), state().velocity_corrections()};
  }

  /// The first device's tree of all bodies, between bursts, where their field came from one; else null.
  const NbodyTree* tree() const { return state().tree(); }
  /// The tree's values for each body; see NbodyTree. Requires a tree().
  void measure_leaves(Queue& queue, const cl::Buffer& to) { members_.front().measure_leaves(queue, to); }
  void count_interactions(Queue& queue, const cl::Buffer& to) { members_.front().count_interactions(queue, to); }

  /// True if the kernels are for individual time steps.
  bool individual() const { return kernels().variant.individual; }
  /// With individual steps, after a burst: 2^level of the step of dt/2^level that each body would begin now, a float
  /// each.
  void tell_levels(Queue& queue, const cl::Buffer& to);
  /// With individual steps: the device's clock, with all evaluations so far. Waits for `queue`.
  NbodyBlockClock block_clock(Queue& queue) const { return state().blocks().read(queue); }
  const NbodyBlockBurst& block_burst() const { return blocks_; }

  /// True if the last complete burst included the potential.
  bool potential_known() const { return field_potential_; }

  /// Plans a burst and enqueues nothing. The clock then has the moment at its end.
  void begin_burst(const Burst& burst);
  /// Enqueues as much of the burst as fits into `budget` seconds of device time, at least one launch, by the profiler's
  /// estimates; a longer force launch is cut over its bodies. Returns true when the whole burst is enqueued.
  bool enqueue_slice(Queue& queue, double budget);
  /// The expected seconds of device time of the last slice.
  double slice_seconds() const { return slice_seconds_; }
  /// Waits for the enqueued work. Waiting for other processes does not count as silence of a device.
  void finish(Queue& queue) const;
  /// Between slices: ends the burst as early as possible, at a whole step; the clock has that step.
  void shorten_burst();
  bool burst_enqueued() const { return stage_ == Stage::done; }
  /// True if a slice would enqueue nothing before the device has completed the enqueued work.
  bool waits() const { return stage_ == Stage::blocks && blocks_.waits(crew_); }
  /// Enqueued so far, 0 … 1.
  double burst_progress() const;
  /// Indices of the devices that have completed less of the enqueued work than the others: a slice that does not end
  /// waits for them. Empty where all are equal. Queries the driver and never waits.
  std::vector<std::size_t> behind() const;
  /// Interactions of the whole burst in progress.
  double burst_work() const;

 private:
  enum class Stage { open, force, control, blocks, done };

  void set_clock(std::int64_t steps_of_burst);
  void share_out(const NbodyPlan& plan);
  void spread();
  void write_bodies(const Bodies& bodies);
  void write_rows(Queue& queue, std::span<const std::vector<std::byte>> rows, std::size_t first);
  void begin_force(bool again);
  double enqueue_force(Queue& queue, double budget);
  double enqueue_control(Queue& queue, double budget);
  double enqueue_field_end(Queue& queue);
  double enqueue_advance(Queue& queue, bool closes, bool opens);
  double enqueue_blocks(Queue& queue, double budget);
  NbodyBlockTerms block_terms(const Burst& burst) const;
  const Integrator& integrator() const { return *kernels().variant.integrator; }
  std::int64_t substeps_of_burst() const;
  const Substep& substep(std::int64_t index) const;
  bool uses_field_after(std::int64_t index) const;
  bool ends_step(std::int64_t index) const;
  std::optional<std::int64_t> control_due() const;
  NbodyFieldTerms field_terms(double budget) const { return {present_, {burst_.softening, burst_.gravity}, budget}; }
  const NbodyMember& state() const { return members_.front(); }

  Precision precision_;
  std::size_t count_, sources_;
  Exchange exchange_way_;
  NbodyCompany company_;
  std::vector<NbodyMember> members_;
  NbodyCrew crew_;           // the members that have bodies
  std::size_t present_ = 0;  // index of the alternating buffers
  NbodyClock clock_;

  // The terms of the stored accelerations, besides the positions, and whether they include the potential.
  std::optional<NbodyPull> field_pull_;
  bool field_potential_ = false;

  NbodyBlockBurst blocks_;
  Burst burst_;
  NbodyClock burst_from_;
  Stage stage_ = Stage::done;
  bool begun_ = false;  // part of the burst is enqueued
  double slice_seconds_ = 0;
  std::int64_t opened_ = 0;          // substeps of this burst whose drift is enqueued
  std::int64_t forces_planned_ = 0;  // force evaluations of this burst …
  std::int64_t forces_done_ = 0;     // … and those completely enqueued
};

/// Runs the whole burst and waits for it; `between` is called after each slice, of about `slice` seconds.
void run_burst(NbodySimulation& simulation, Queue& queue, const Burst& burst, const std::function<void()>& between = {},
               double slice = 0.25);
/// Positions with masses, and velocities, as the device has them; in mixed precision also the corrections of both.
std::vector<std::vector<std::byte>> rows_of(const Bodies& bodies, Precision precision);
/// Counts the bodies in its rows; it has at least one row.
NbodyCount count_of(const NbodyExact& exact, Precision precision);
/// The present bodies. Waits for them.
Bodies bodies_of(const Device& device, Queue& queue, const NbodySimulation& simulation);
/// The accelerations of its field; waits.
std::vector<std::array<double, 3>> accelerations_of(Queue& queue, const NbodySimulation& simulation);

/// Bodies of a simulation on their way to the host. Nothing waits.
class NbodyDownload {
 public:
  /// Allocates memory for this number of bodies. All reads use this queue.
  NbodyDownload(const Device& device, Queue& queue, std::size_t bodies, Precision precision);
  bool fits(const NbodySimulation& simulation) const {
    return simulation.bodies() == count_ && simulation.precision() == precision_;
  }
  /// Enqueues the reads; the simulation is between bursts.
  void begin(Queue& queue, const NbodySimulation& simulation);
  /// The reads have ended, possibly with an error.
  bool complete() const;
  /// The reads have succeeded.
  bool arrived() const;
  /// Device time of the reads, after arrived(); an estimate where the driver reports no times.
  double seconds() const;
  const NbodyClock& clock() const { return clock_; }
  /// After arrived(), or after the queue was finished. Any thread.
  Bodies bodies() const;
  /// Likewise, in mixed precision: positions, velocities and the corrections of both as the device has them. Else none.
  std::vector<std::vector<std::byte>> mixed_rows() const;
  const TreeMemory& tree() const { return tree_; }

 private:
  std::size_t count_;
  Precision precision_;
  NbodyClock clock_;
  HostMirror positions_, velocities_;
  std::optional<HostMirror> position_corrections_, velocity_corrections_;
  TreeMemory tree_;
  std::vector<cl::Event> reads_;
};

}  // namespace orrery
