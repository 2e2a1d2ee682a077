/// Errors of the accelerations of some bodies, drawn at random: their accelerations are summed once more on the
/// device in double, or in two-float arithmetic where it has no doubles.
///
/// Made and warmed up on any thread, then used by the thread that owns the queue.
#pragma once

#include <vector>

#include "compute/queue/host_mirror.hpp"
#include "scenes/nbody/model/diagnostics.hpp"
#include "scenes/nbody/model/force_error_kernels.hpp"
#include "scenes/nbody/model/simulation.hpp"

namespace orrery {

/// |a − a_true| / |a_true| over the drawn bodies; infinite where an acceleration is not finite.
struct AccelerationError {
  NbodyClock clock;
  double median = 0, p99 = 0;
  LogSpread spread;
  std::vector<double> all;
};

struct DrawnBody {
  std::uint32_t index = 0;
  std::array<double, 3> acceleration{};  ///< the true one
  double error = 0;                      ///< relative error of the stored acceleration
};

class ForceErrorSample {
 public:
  /// The sums are doubles where the device has them.
  ForceErrorSample(ProgramLibrary& programs, Precision precision, std::size_t bodies);
  ForceErrorSample(ProgramLibrary& programs, Precision precision, std::size_t bodies, Sums kind);

  /// Draws bodies and enqueues nothing. One draw at a time.
  void begin(std::uint64_t draw, const NbodyPull& pull);
  /// Enqueues what fits into `budget` seconds of device time, at least one launch, and after the last one the read.
  /// The simulation is between bursts and stays there until this returns true.
  bool enqueue_slice(Queue& queue, const NbodySimulation& simulation, double budget);
  bool enqueued() const { return done_ == kernels_.shares(); }
  /// All enqueued work has completed.
  bool arrived() const { return is_complete(read_); }
  /// After enqueued() and arrived().
  std::vector<DrawnBody> drawn() const;
  AccelerationError error() const;
  /// Device time of a whole draw, by the profiler's estimate; nothing before the first.
  std::optional<double> seconds(Queue& queue) const;

 private:
  ForceErrorSample(ProgramLibrary& programs, Queue queue, Precision precision, std::size_t bodies, Sums kind);

  ForceErrorKernels kernels_;
  std::size_t bodies_, count_;
  std::size_t padded_;  // drawn bodies, and those that fill the last item
  std::size_t done_;    // shares that are enqueued
  cl::Buffer drawn_, sums_, references_;
  HostMirror drawn_mirror_, mirror_;
  cl::Event read_;
  NbodyPull pull_;
  NbodyClock clock_;
};

}  // namespace orrery
