/// The field of all bodies, summed in parts: what a force evaluation enqueues, launch by launch.
///
/// Owns the parts (one row of real4 for each part of the sources) and, for the pair kernel, the rows that wait to be
/// added. Made on any thread; used by the thread that owns the queue.
#pragma once

#include "model/nbody/kernels.hpp"
#include "model/nbody/parts.hpp"

namespace orrery {

class NbodyForce {
 public:
  NbodyForce(const Device& device, std::size_t bodies, Precision precision);

  /// Between evaluations. Allocates what the kernels need.
  void use(const NbodyVariant& variant);

  void begin(bool with_potential);
  bool complete() const { return done_ == total(); }
  /// Enqueued so far, 0 … 1.
  double progress() const { return static_cast<double>(done_) / static_cast<double>(total()); }
  /// Enqueues the next launch, as long as fits into `budget` seconds of device time by the profiler's estimate, but
  /// enough to fill the device; returns the seconds that it is expected to take.
  double enqueue(Queue& queue, NbodyKernels& kernels, const cl::Buffer& positions, double softening, double budget);

  const cl::Buffer& parts() const { return parts_; }
  const NbodyParts& division() const { return division_; }

 private:
  std::size_t total() const;
  double enqueue_gather(Queue& queue, NbodyKernels& kernels, const cl::Buffer& positions, double softening,
                        double budget);
  double enqueue_pairs(Queue& queue, NbodyKernels& kernels, const cl::Buffer& positions, double softening,
                       double budget);
  double seconds_per_interaction(Queue& queue) const;

  Device device_;
  Precision precision_;
  std::size_t bodies_;
  NbodyParts division_;
  cl::Buffer parts_, rows_;
  NbodyVariant variant_;
  std::size_t pairs_at_once_ = 0;  // pairs of parts that the rows hold
  bool with_potential_ = false;
  std::size_t done_ = 0;  // bodies, or pairs of parts, that are enqueued
};

/// What the kernels take for a softening length: bare gravity is softened by a length that no coordinate resolves, so
/// that nothing needs to be excluded from the sums.
struct SofteningArguments {
  double squared;  ///< ε²
  double least;    ///< what r² + ε² must exceed to have a potential
  double inverse;  ///< of ε, for the potential that a body would have in itself; 0 where it is not in the sum
};
SofteningArguments softening_arguments(double softening, Precision precision);

}  // namespace orrery
