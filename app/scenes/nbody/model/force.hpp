/// The field of the bodies, or a task of it, summed in parts: what a force evaluation enqueues, launch by launch.
///
/// Shares the table of parts (one row of real4 for each part of the sources); owns, for the pair kernel, the rows that
/// wait to be added. Made on any thread; used by the thread that owns the queue.
#pragma once

#include "scenes/nbody/model/kernels.hpp"
#include "scenes/nbody/model/share.hpp"

namespace orrery {

class NbodyForce {
 public:
  /// `parts`: parts_of(bodies).count rows.
  NbodyForce(const Device& device, std::size_t bodies, Precision precision, cl::Buffer parts);

  /// Between evaluations. Allocates what the kernels need.
  void use(const NbodyVariant& variant, NbodyTask task);

  void begin(bool with_potential);
  bool complete() const { return done_ == total(); }
  /// Enqueued so far, 0 … 1.
  double progress() const { return complete() ? 1 : static_cast<double>(done_) / static_cast<double>(total()); }
  /// Enqueues the next launch, as long as fits into `budget` seconds of device time by the profiler's estimate, but
  /// enough to fill the device, and not beyond the progress `until`; returns the seconds that it is expected to take.
  double enqueue(Queue& queue, NbodyKernels& kernels, const cl::Buffer& positions, double softening, double budget,
                 double until = 1);

 private:
  std::size_t total() const;
  double enqueue_gather(Queue& queue, NbodyKernels& kernels, const cl::Buffer& positions, double softening,
                        double budget, std::size_t end);
  double enqueue_pairs(Queue& queue, NbodyKernels& kernels, const cl::Buffer& positions, double softening,
                       double budget, std::size_t end);
  Work interactions(double count) const;
  double seconds_per_interaction(Queue& queue) const;

  Device device_;
  Precision precision_;
  std::size_t bodies_;
  NbodyParts division_;
  cl::Buffer parts_, rows_, pairs_;
  NbodyVariant variant_;
  NbodyTask task_;
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
