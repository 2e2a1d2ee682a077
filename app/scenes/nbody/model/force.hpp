/// Enqueues a force evaluation launch by launch: the field of the bodies, or one device's task of it, summed in parts.
///
/// Shares the table of parts (one row of real4 for each part of the sources); owns the rows of the pair kernel that
/// wait to be added. Made on any thread; used by the thread that owns the queue.
#pragma once

#include "scenes/nbody/model/kernels.hpp"
#include "scenes/nbody/model/share.hpp"

namespace orrery {

/// The cost of the shortest launch, in seconds.
inline constexpr double launch_seconds = 20e-6;

class NbodyForce {
 public:
  NbodyForce(const Device& device, std::size_t bodies, Precision precision);

  /// Between evaluations. Allocates what the kernels need. `parts`: parts_of(bodies).count rows.
  void use(const NbodyVariant& variant, NbodyTask task, cl::Buffer parts);

  void begin(bool with_potential);
  /// Begins with the listed bodies, whose number the host does not know; `shared`: they are of the task only.
  void begin_listed(bool with_potential, bool shared);
  bool complete() const { return done_ == all_; }
  /// Enqueued so far, 0 … 1.
  double progress() const { return complete() ? 1 : static_cast<double>(done_) / static_cast<double>(all_); }
  /// Enqueues the next launch: at most `budget` seconds of device time by the profiler's estimate, but enough to fill
  /// the device, and not beyond the progress `until`. Returns the expected seconds.
  double enqueue(Queue& queue, NbodyKernels& kernels, const cl::Buffer& positions, double softening, double budget,
                 double until = 1);
  /// The same for the listed bodies: as many launches as if all that may be listed were.
  double enqueue_listed(Queue& queue, NbodyKernels& kernels, const cl::Buffer& positions, const NbodyListed& listed,
                        double softening, double budget);
  /// Seconds of a body's field, by the profiler's estimate.
  double seconds_per_body(Queue& queue) const;

 private:
  std::size_t total() const;
  double enqueue_gather(Queue& queue, NbodyKernels& kernels, const cl::Buffer& positions, double softening,
                        double budget, std::size_t end);
  double enqueue_pairs(Queue& queue, NbodyKernels& kernels, const cl::Buffer& positions, double softening,
                       double budget, std::size_t end);
  Work interactions(double count) const;
  double seconds_per_interaction(Queue& queue) const;
  double sources_of_task() const;

  Device device_;
  Precision precision_;
  std::size_t bodies_;
  NbodyParts division_;
  cl::Buffer parts_, rows_, pairs_;
  NbodyVariant variant_;
  NbodyTask task_;
  std::size_t pairs_at_once_ = 0;  // capacity of the rows, in pairs of parts
  bool with_potential_ = false;
  std::size_t done_ = 0, all_ = 0;  // bodies, or tasks of the pair kernel: enqueued ones, and those of the evaluation
};

/// A softening length as kernels take it.
struct SofteningArguments {
  double squared;  ///< ε²
  double least;    ///< two bodies with r² + ε² above this have a potential; ε²: there is no softening
  bool scaled;     ///< use the kernel without cubes of lengths, which skips pairs at one place
};
SofteningArguments softening_arguments(double softening, Precision precision);

}  // namespace orrery
