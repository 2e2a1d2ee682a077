/// The errors of the accelerations of all bodies: each is summed once more on the device in double, or in two-float
/// arithmetic where it has no doubles. Takes N² such interactions, in slices over any number of frames; the simulation
/// continues meanwhile, because the map is made from a copy of the state.
///
/// Made and warmed up on any thread, then used by the thread that owns the queue; nothing waits.
#pragma once

#include "scenes/nbody/model/simulation.hpp"

namespace orrery {

class ForceErrorMap {
 public:
  /// The sums are doubles where the device has them. Allocates little before the first begin().
  ForceErrorMap(ProgramLibrary& programs, Precision precision, std::size_t bodies);

  /// Copies the state; the simulation is between bursts. Must not be called while a map is under way.
  void begin(Queue& queue, const NbodySimulation& simulation, const NbodyPull& pull);
  bool under_way() const { return next_ < bodies_; }
  /// Enqueues what fits into `budget` seconds of device time, at least one launch; returns the expected seconds.
  double enqueue_slice(Queue& queue, double budget);

  /// A float per body, |a − a_true| / |a_true|. Bodies that the present map has not reached have the error of the
  /// last one. Null before the first.
  const cl::Buffer& errors() const { return errors_; }
  /// Bodies of this map whose error is enqueued.
  std::size_t done() const { return next_; }

 private:
  void allocate(Queue& queue);

  Device device_;
  Precision precision_;
  std::size_t bodies_, padded_;
  ForceErrorKernels kernels_;
  std::size_t batch_;            // bodies per launch
  std::size_t next_;             // first body of the batch under way …
  std::size_t shares_done_ = 0;  // … and how much of it is done
  NbodyPull pull_;
  cl::Buffer order_, sums_, positions_, corrections_, accelerations_, errors_;
};

}  // namespace orrery
