/// Reads one body of a simulation in full, and the body that pulls it most.
///
/// Made and warmed up on any thread, then used by the thread that owns the queue.
#pragma once

#include "scenes/nbody/model/publisher.hpp"

namespace orrery {

/// A body at a moment. `strongest` is the body that pulls it most, by m·r / (r² + ε²)^{3/2}.
struct NbodyObservation {
  std::uint32_t index = 0;
  NbodyClock clock;
  Body body;
  bool field_known = false;  ///< if not, the members below have no value
  std::array<double, 3> acceleration{};
  double potential = 0;  ///< φ, without the body's own field
  std::optional<std::uint32_t> strongest;
  double distance = 0;  ///< to it
};

class NbodyObserver {
 public:
  static ProgramSpec program(const Device& device, Precision precision, std::size_t bodies);
  NbodyObserver(ProgramLibrary& programs, Precision precision, std::size_t bodies);

  /// Begins to read body `index`; the simulation is between bursts. One at a time.
  void observe(Queue& queue, const NbodySimulation& simulation, std::uint32_t index, double softening,
               bool field_known);
  bool observed() const { return is_complete(read_); }
  /// The result of the last observe(), after observed().
  NbodyObservation observation() const;

 private:
  NbodyObserver(ProgramLibrary& programs, Queue queue, Precision precision, std::size_t bodies);

  Precision precision_;
  Reduction reduction_;
  cl::Kernel observe_;
  cl::Buffer rows_;
  HostMirror mirror_;
  cl::Event read_;
  NbodyObservation header_;  // the values that the host knows
};

}  // namespace orrery
