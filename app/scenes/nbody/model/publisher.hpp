/// Reads the state of a simulation: values for drawing, into a surface, and diagnostics, to the host.
///
/// Owns kernels and a small buffer. Made and warmed up on any thread, then used by the thread that owns the queue.
#pragma once

#include "compute/program/reduction.hpp"
#include "compute/queue/host_mirror.hpp"
#include "scenes/nbody/model/diagnostics.hpp"
#include "scenes/nbody/model/exact.hpp"
#include "scenes/nbody/model/simulation.hpp"

namespace orrery {

/// A checksum of the exact state of the bodies: equal for equal bits, whatever device, work-group or burst they
/// came from.
///
/// Includes masses, positions, velocities, and in mixed precision their corrections, in their precision and order;
/// nbody_hash.cl has the formula. Made and warmed up on any thread, then used by the thread that owns the
/// queue.
class NbodyHasher {
 public:
  static ProgramSpec program(const Device& device, Precision precision, std::size_t bodies);
  NbodyHasher(ProgramLibrary& programs, Queue& queue, Precision precision, std::size_t bodies);

  /// Begins to hash and to read; the simulation is between bursts. One at a time.
  void hash(Queue& queue, const NbodySimulation& simulation);
  /// The result of the last hash(), after the queue has completed it.
  StateHash state_hash() const;

 private:
  Reduction reduction_;
  cl::Kernel hash_;
  cl::Buffer sums_;
  HostMirror mirror_;
};

/// The checksum from the sum over the bodies.
constexpr StateHash shortened(std::uint64_t sum) {
  sum = (sum ^ (sum >> 30)) * 0xBF58476D1CE4E5B9ULL;  // every bit of the sum counts (Stafford's mix 13)
  sum = (sum ^ (sum >> 27)) * 0x94D049BB133111EBULL;
  sum ^= sum >> 31;
  return static_cast<StateHash>(10'000'000 + sum % 90'000'000);
}

/// Bytes that publish() writes for each body, in two blocks of one float4 a body: first every (x, y, z, mass), then
/// every (speed, |a|, −φ, another measured quantity).
inline constexpr std::size_t published_bytes = 2 * sizeof(cl_float4);

class NbodyPublisher {
 public:
  /// `bodies` is the number that it publishes. The sums are doubles where the device has them.
  NbodyPublisher(ProgramLibrary& programs, Precision precision, std::size_t bodies);
  /// The programs that the constructor builds.
  static std::vector<ProgramSpec> programs(const Device& device, Precision precision, std::size_t bodies, Sums kind);
  NbodyPublisher(ProgramLibrary& programs, Precision precision, std::size_t bodies, Sums kind);

  /// The simulation is between bursts. Unknown parts of the field are published as 0, and so is the other quantity
  /// where `measured` (a float per body) is null.
  void publish(Queue& queue, const NbodySimulation& simulation, const cl::Buffer& surface, bool field_known = true,
               const cl::Buffer& measured = {});
  /// Begins the reductions and their reads; one at a time.
  void diagnose(Queue& queue, const NbodySimulation& simulation, const cl::Buffer& measured = {});
  bool diagnosed() const { return is_complete(read_); }
  /// The result of the last diagnose(), after diagnosed().
  NbodyDiagnostics diagnostics() const;

 private:
  NbodyPublisher(ProgramLibrary& programs, Queue queue, Precision precision, std::size_t bodies, Sums kind);

  DeviceInfo device_;
  Sums kind_;
  cl::Kernel publish_, diagnose_;
  Reduction reduction_;
  NbodyHasher hasher_;
  cl::Buffer rows_;
  HostMirror mirror_;
  cl::Event read_;
  NbodyClock clock_;
  bool potential_known_ = false;
};

}  // namespace orrery
