/// Measures the particles of an engine: reductions on the device, the rest of the sums on the host. Owns kernels and
/// small buffers. Made on any thread; used by the queue's.
#pragma once

#include "compute/program/reduction.hpp"
#include "compute/queue/host_mirror.hpp"
#include "scenes/particles/model/constraints.hpp"
#include "scenes/particles/model/forces.hpp"
#include "scenes/particles/model/observables.hpp"

namespace orrery::particles {

/// Moment and settings of a measurement.
struct Moment {
  std::int64_t step = 0;
  double time = 0;
  double temperature = 1;  ///< determines the histogram's range
};

/// The forces and constraints that act on the particles; `constraints` may be null.
struct Acting {
  const ParticleForces& forces;
  Constraints* constraints;
};

class ParticleObserver {
 public:
  ParticleObserver(ProgramLibrary& programs, Queue& queue, const World& world, const DeviceParticles& state);
  /// The programs that the constructor builds.
  static ProgramSpec program(const Device& device, Precision precision, std::size_t particles);

  /// Enqueues reductions and reads; the energies are those of the last observed evaluation of forces.
  void observe(Queue& queue, const World& world, const DeviceParticles& state, const Acting& acting,
               const Moment& moment, bool with_pair_distribution);
  bool observed() const { return is_complete(read_); }
  Observables observables(const World& world) const;

  void publish(Queue& queue, const DeviceParticles& state, const ParticleForces& forces, const cl::Buffer& surface);

 private:
  double sum_at(std::size_t index) const;
  double sum_of_groups(std::size_t first) const;
  void enqueue_histograms(Queue& queue, const DeviceParticles& state, const Neighbours& neighbours, bool pairs);

  Sums kind_;
  Reduction reduction_;
  std::size_t moving_ = 0;
  double lightest_ = 1;
  cl::Kernel motion_, values_, speeds_, distances_, publish_;
  cl::Buffer looks_, sums_, bins_;
  std::size_t sum_count_ = 0;
  HostMirror sums_mirror_, bins_mirror_;
  cl::Event read_;
  Moment moment_;
  double speed_width_ = 0, distance_width_ = 0;
  std::size_t sampled_ = 0;  // particles whose distances were counted
  std::size_t laws_ = 0;
  bool constrained_ = false;
  std::vector<std::string> names_;
};

}  // namespace orrery::particles
