/// Bodies on a device, or on several that share them, and the bursts of time steps that move them.
///
/// Owns the state, which between bursts belongs to one moment and is all on the first device: what draws, observes or
/// reads it need not know of the others. The bits do not depend on how many there are, as long as they are alike. Made
/// on any thread; used by the thread that owns the first device's queue, which is the caller's.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "compute/queue/host_mirror.hpp"
#include "scenes/nbody/bodies/body.hpp"
#include "scenes/nbody/model/exchange.hpp"

namespace orrery {

struct Burst {
  std::int64_t steps = 1;  ///< 0 only evaluates the field
  double dt = 0;           ///< negative plays time backwards
  double softening = 0;
  bool potential = true;  ///< wanted at the end; costs a little
};

/// The moment that the state belongs to.
struct NbodyClock {
  std::int64_t step = 0;
  double time = 0;
};

struct NbodyBuffers {
  const cl::Buffer& positions;
  const cl::Buffer& velocities;
  const cl::Buffer& accelerations;
};

/// In mixed precision, what is to be added to positions and velocities (real4, w = 0); else null.
struct NbodyCorrections {
  const cl::Buffer& positions;
  const cl::Buffer& velocities;
};

class NbodySimulation {
 public:
  /// Allocates and uploads, and waits for it.
  NbodySimulation(const Device& device, const Bodies& bodies, Precision precision, NbodyClock clock = {});
  NbodySimulation(std::span<const Device> devices, const Bodies& bodies, Precision precision, NbodyClock clock = {},
                  Exchange exchange = Exchange::host);

  /// Takes other kernels of the same precision, one for each device; between bursts. The trajectory goes on. Waits
  /// where bodies then belong to other devices: at first, and when several devices sum forces in another way or at
  /// another speed.
  void use(std::vector<NbodyKernels> kernels);
  void use(NbodyKernels kernels);
  const NbodyKernels& kernels(std::size_t device = 0) const { return members_[device].kernels(); }

  std::size_t bodies() const { return count_; }
  Precision precision() const { return precision_; }
  const NbodyClock& clock() const { return clock_; }
  std::size_t devices() const { return members_.size(); }
  /// What a device moves and sums.
  const NbodyShare& share(std::size_t device) const { return members_[device].share(); }
  /// On the first device.
  NbodyBuffers buffers() const { return {state().positions(present_), state().velocities(), state().accelerations()}; }
  NbodyCorrections corrections() const {
    return {state().position_corrections(present_), state().velocity_corrections()};
  }

  /// Plans a burst; nothing is enqueued yet. The clock then tells the moment that it leads to.
  void begin_burst(const Burst& burst);
  /// Enqueues what of the burst fits into `budget` seconds of device time, one launch at least, by the profiler's
  /// estimates; a force launch that is longer is cut over its bodies. True when the burst is completely enqueued.
  bool enqueue_slice(Queue& queue, double budget);
  /// Between slices: the burst is to end as soon as it can, at a whole step, and the clock tells which.
  void shorten_burst();
  bool burst_enqueued() const { return stage_ == Stage::done; }
  /// Enqueued so far, 0 … 1.
  double burst_progress() const;
  /// Of several devices, those that have ended less of what is enqueued than the others, by their index: the end of a
  /// slice that does not come is theirs to blame. Empty where all are as far. Asks the driver, never waits.
  std::vector<std::size_t> behind() const;
  /// Interactions that the burst in progress takes altogether.
  double burst_work() const;

 private:
  enum class Stage { open, force, done };

  void set_clock(std::int64_t steps_of_burst);
  void set_landmark(std::size_t active, Queue& first);
  void share_out(const NbodyPlan& plan);
  void spread();
  void begin_force(bool with_potential);
  double enqueue_force(Queue& queue, double budget);
  double enqueue_advance(Queue& queue, bool closes, bool opens);
  double half_step(std::int64_t index) const;
  bool force_complete() const;
  double force_progress() const;
  const NbodyMember& state() const { return members_.front(); }
  Queue& queue_of(std::size_t active, Queue& first) { return exchange_ ? exchange_->queue(active, first) : first; }

  Precision precision_;
  std::size_t count_;
  Exchange exchange_way_;
  std::vector<NbodyMember> members_;
  std::vector<NbodyMember*> active_;               // that have bodies; the first one always
  std::optional<NbodyExchange> exchange_;          // where several are
  cl::Event joined_;                               // the end of the last slice of several devices
  std::vector<std::vector<cl::Event>> landmarks_;  // of each active one: ends of its own work, each before it waits for
                                                   // others; as many for each
  std::size_t present_ = 0;                        // of the alternating buffers
  NbodyClock clock_;

  // What the stored accelerations are: of the positions and this softening; with the potential or without.
  std::optional<double> field_softening_;
  bool field_potential_ = false;

  Burst burst_;
  NbodyClock burst_from_;
  Stage stage_ = Stage::done;
  bool begun_ = false;               // something of the burst is enqueued
  bool evaluates_first_ = false;     // the stored field is not the one to begin with
  std::int64_t forces_planned_ = 0;  // force evaluations of this burst …
  std::int64_t forces_done_ = 0;     // … and those completely enqueued
};

/// The whole burst, waiting for it; `between` is called after each slice, of about so many seconds.
void run_burst(NbodySimulation& simulation, Queue& queue, const Burst& burst, const std::function<void()>& between = {},
               double slice = 0.25);
/// The bodies now, waiting for them.
Bodies bodies_of(const Device& device, Queue& queue, const NbodySimulation& simulation);

/// The bodies of a simulation on their way to the host. Nothing waits.
class NbodyDownload {
 public:
  /// Makes room for so many. All reads go through this queue.
  NbodyDownload(const Device& device, Queue& queue, std::size_t bodies, Precision precision);
  bool fits(const NbodySimulation& simulation) const {
    return simulation.bodies() == count_ && simulation.precision() == precision_;
  }
  /// Enqueues the reads; the simulation is between bursts.
  void begin(Queue& queue, const NbodySimulation& simulation);
  /// The reads have ended, perhaps in an error.
  bool complete() const;
  /// They have ended well.
  bool arrived() const;
  /// That the reads have taken of the device's time, after arrived(); an estimate where the driver keeps no times.
  double seconds() const;
  const NbodyClock& clock() const { return clock_; }
  /// After arrived(), or after the queue was finished. Any thread.
  Bodies bodies() const;

 private:
  std::size_t count_;
  Precision precision_;
  NbodyClock clock_;
  HostMirror positions_, velocities_;
  std::optional<HostMirror> position_corrections_, velocity_corrections_;
  std::vector<cl::Event> reads_;
};

}  // namespace orrery
