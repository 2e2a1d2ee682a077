/// A checksum of the exact state of the bodies: equal for equal bits, whatever device, work-group or burst they
/// came from.
///
/// Includes masses, positions, velocities, and in mixed precision their corrections, in their precision and order;
/// nbody_hash.cl has the formula. Made and warmed up on any thread, then used by the thread that owns the
/// queue.
#pragma once

#include "compute/program/reduction.hpp"
#include "compute/queue/host_mirror.hpp"
#include "scenes/nbody/model/exact.hpp"
#include "scenes/nbody/model/simulation.hpp"

namespace orrery {

class NbodyHasher {
 public:
  static ProgramSpec program(const Device& device, Precision precision, std::size_t bodies);
  NbodyHasher(ProgramLibrary& programs, Queue& queue, Precision precision, std::size_t bodies);

  /// Begins to hash and to read; the simulation is between bursts. One at a time.
  void hash(Queue& queue, const NbodySimulation& simulation);
  /// The result of the last hash(), after the queue has come past it.
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

}  // namespace orrery
