/// Moves particles from one evaluation of the forces to the next: kicks, drifts, the thermostat, constraints. Owns its
/// kernels. One thread at a time.
#pragma once

#include "model/particles/engine.hpp"
#include "model/particles/neighbours.hpp"

namespace orrery::particles {

class Stepper {
 public:
  Stepper(ProgramLibrary& programs, Queue& queue, const World& world, const DeviceParticles& state);

  /// Ends a step, begins the next, or both. `moment`: of the step that is begun. Does not wait.
  void advance(Queue& queue, const World& world, const DeviceParticles& state, const Neighbours& neighbours,
               bool closes, bool opens, const EngineClock& moment);

 private:
  void launch(Queue& queue, const World& world, const DeviceParticles& state, const Neighbours& neighbours, bool closes,
              bool opens, const EngineClock& moment);

  cl::Kernel advance_, move_;
  cl::Buffer kinetic_;
};

}  // namespace orrery::particles
