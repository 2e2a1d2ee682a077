/// A short number for the exact state of the bodies: equal for equal bits, whatever device, work-group or burst they
/// came from.
///
/// Hashed are, in their precision and their order, masses, positions and velocities, and in mixed precision what these
/// are off by; nbody_hash.cl has the formula. Made and warmed up on any thread, then used by the thread that owns the
/// queue.
#pragma once

#include "compute/queue/host_mirror.hpp"
#include "compute/queue/reduction.hpp"
#include "scenes/nbody/model/simulation.hpp"

namespace orrery {

/// Eight decimal digits, the first of them not 0, so that it stays the same as text and as a number.
using StateHash = std::uint32_t;

class NbodyHasher {
 public:
  NbodyHasher(ProgramLibrary& programs, Queue& queue, Precision precision, std::size_t bodies);

  /// Begins to hash and to read; the simulation is between bursts. One at a time.
  void hash(Queue& queue, const NbodySimulation& simulation);
  bool hashed() const { return is_complete(read_); }
  /// Of the last hash(), after hashed().
  StateHash state_hash() const;

 private:
  Reduction reduction_;
  cl::Kernel hash_;
  cl::Buffer sums_;
  HostMirror mirror_;
  cl::Event read_;
};

/// Of the sum over the bodies.
constexpr StateHash shortened(std::uint64_t sum) {
  sum = (sum ^ (sum >> 30)) * 0xBF58476D1CE4E5B9ULL;  // so that every bit of the sum counts (Stafford's mix 13)
  sum = (sum ^ (sum >> 27)) * 0x94D049BB133111EBULL;
  sum ^= sum >> 31;
  return static_cast<StateHash>(10'000'000 + sum % 90'000'000);
}

}  // namespace orrery
