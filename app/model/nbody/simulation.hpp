/// Bodies on a device, and the bursts of time steps that move them.
///
/// Owns the state: two position buffers (x, y, z, mass) that alternate, velocities, accelerations (potential in w); in
/// mixed precision also what positions and velocities are off by. Between bursts all of it belongs to one moment. Made on
/// any thread; used by the thread that owns the queue.
#pragma once

#include <array>
#include <functional>
#include <optional>

#include "compute/host_mirror.hpp"
#include "model/nbody/body.hpp"
#include "model/nbody/force.hpp"

namespace orrery {

struct Burst {
  std::int64_t steps = 1;  ///< 0 only evaluates the field
  double dt = 0;  ///< negative plays time backwards
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

  /// Takes other kernels of the same precision; between bursts. The trajectory goes on.
  void use(NbodyKernels kernels);
  const NbodyKernels& kernels() const { return *kernels_; }

  std::size_t bodies() const { return count_; }
  Precision precision() const { return precision_; }
  const NbodyClock& clock() const { return clock_; }
  NbodyBuffers buffers() const { return {positions_[present_], velocities_, accelerations_}; }
  NbodyCorrections corrections() const { return {position_corrections_[present_], velocity_corrections_}; }

  /// Plans a burst; nothing is enqueued yet. The clock then tells the moment that it leads to.
  void begin_burst(const Burst& burst);
  /// Enqueues what of the burst fits into `budget` seconds of device time, one launch at least, by the profiler's
  /// estimates; a force launch that is longer is cut over its bodies. True when the burst is completely enqueued.
  bool enqueue_slice(Queue& queue, double budget);
  bool burst_enqueued() const { return stage_ == Stage::done; }
  /// Enqueued so far, 0 … 1.
  double burst_progress() const;
  /// Interactions that the burst in progress takes altogether.
  double burst_work() const;

 private:
  enum class Stage { open, force, advance, done };

  double enqueue_advance(Queue& queue, bool closes, bool opens);
  double half_step(std::int64_t index) const;

  DeviceInfo device_;
  Precision precision_;
  std::size_t count_;
  std::array<cl::Buffer, 2> positions_, position_corrections_;
  cl::Buffer velocities_, velocity_corrections_, accelerations_;
  std::size_t present_ = 0;  // of positions_
  cl::Buffer parts_;
  NbodyForce force_;
  std::optional<NbodyKernels> kernels_;
  NbodyClock clock_;

  // What the stored accelerations are: of the positions and this softening; with the potential or without.
  std::optional<double> field_softening_;
  bool field_potential_ = false;

  Burst burst_;
  Stage stage_ = Stage::done;
  bool evaluates_first_ = false;     // the stored field is not the one to begin with
  std::int64_t forces_planned_ = 0;  // force evaluations of this burst …
  std::int64_t forces_done_ = 0;     // … and those completely enqueued
};

/// The whole burst, waiting for it; `between` is called after each slice. For headless use.
void run_burst(NbodySimulation& simulation, Queue& queue, const Burst& burst,
               const std::function<void()>& between = {});
/// The bodies now, waiting for them.
Bodies bodies_of(const Device& device, Queue& queue, const NbodySimulation& simulation);

/// The bodies of a simulation on their way to the host. Nothing waits but bodies().
class NbodyDownload {
 public:
  /// Enqueues the reads; the simulation is between bursts.
  NbodyDownload(const Device& device, Queue& queue, const NbodySimulation& simulation);
  bool complete() const { return is_complete(last_); }
  const NbodyClock& clock() const { return clock_; }
  /// After complete(), or after the queue was finished.
  Bodies bodies() const;

 private:
  std::size_t count_;
  Precision precision_;
  NbodyClock clock_;
  HostMirror positions_, velocities_;
  std::optional<HostMirror> position_corrections_, velocity_corrections_;
  cl::Event last_;
};

}  // namespace orrery
