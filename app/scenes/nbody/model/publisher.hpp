/// Reads the state of a simulation: values for drawing, into a surface, and diagnostics, to the host.
///
/// Owns kernels and a small buffer. Made and warmed up on any thread, then used by the thread that owns the queue.
#pragma once

#include <optional>

#include "compute/queue/host_mirror.hpp"
#include "scenes/nbody/model/diagnostics.hpp"
#include "scenes/nbody/model/state_hash.hpp"

namespace orrery {

/// Bytes that publish() writes for each body, in two blocks of one float4 a body: first every (x, y, z, mass), then
/// every (speed, |a|, −φ, what else was measured).
inline constexpr std::size_t published_bytes = 2 * sizeof(cl_float4);

class NbodyPublisher {
 public:
  /// `bodies` is the number that it publishes. The sums are doubles where the device has them.
  NbodyPublisher(ProgramLibrary& programs, Precision precision, std::size_t bodies);
  /// The programs that the constructor builds.
  static std::vector<ProgramSpec> programs(const Device& device, Precision precision, std::size_t bodies, Sums kind);
  NbodyPublisher(ProgramLibrary& programs, Precision precision, std::size_t bodies, Sums kind);

  /// The simulation is between bursts. Parts of the field that are unknown are published as 0, as is what else
  /// was measured of the bodies where `measured` (a float a body) is null.
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
