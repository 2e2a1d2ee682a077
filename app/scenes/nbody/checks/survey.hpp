/// What the accelerations of all bodies are off by, one number a body: each summed once more on the device in double,
/// or in two-float arithmetic where it has no doubles. Takes N² such interactions, in slices over as long as it takes;
/// the bodies meanwhile go on, because it works on a copy of them.
///
/// Made and warmed up on any thread, then used by the thread that owns the queue; nothing waits.
#pragma once

#include "scenes/nbody/checks/truth_kernels.hpp"

namespace orrery {

class NbodySurvey {
 public:
  /// The sums are doubles where the device has them. Allocates little before the first begin().
  NbodySurvey(ProgramLibrary& programs, Precision precision, std::size_t bodies);

  /// Copies the state; the simulation is between bursts. Not while one is under way.
  void begin(Queue& queue, const NbodySimulation& simulation, double softening);
  bool under_way() const { return next_ < bodies_; }
  /// Enqueues what fits into `budget` seconds of device time, one launch at least; returns what it is expected to take.
  double enqueue_slice(Queue& queue, double budget);

  /// A float a body, |a − a_true| / |a_true|, of the last survey as far as this one has not come; null before the
  /// first.
  const cl::Buffer& errors() const { return errors_; }
  /// Bodies of this survey whose error is enqueued.
  std::size_t done() const { return next_; }

 private:
  void allocate(Queue& queue);

  Device device_;
  Precision precision_;
  std::size_t bodies_, padded_;
  TruthKernels kernels_;
  std::size_t batch_;            // bodies of a launch
  std::size_t next_;             // body whose batch is under way …
  std::size_t shares_done_ = 0;  // … and how far
  double softening_ = 0;
  cl::Buffer order_, sums_, positions_, corrections_, accelerations_, errors_;
};

}  // namespace orrery
