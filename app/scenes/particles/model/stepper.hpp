/// Moves particles from one evaluation of the forces to the next: kicks, drifts, the thermostat, constraints. Owns its
/// kernels. One thread at a time.
#pragma once

#include "scenes/particles/model/constraints.hpp"
#include "scenes/particles/model/engine.hpp"
#include "scenes/particles/model/neighbours.hpp"

namespace orrery::particles {

/// Ends a step, begins the next, or both.
struct StepEnds {
  bool closes = false, opens = false;
  EngineClock moment;  ///< moment of the step that begins
};

class Stepper {
 public:
  Stepper(ProgramLibrary& programs, Queue& queue, const World& world, const DeviceParticles& state);
  /// The programs that the constructor builds.
  static std::vector<ProgramSpec> programs(const Device& device, const World& world, Precision precision);

  /// Does not wait.
  void advance(Queue& queue, const World& world, const DeviceParticles& state, const Neighbours& neighbours,
               const StepEnds& ends);

  /// Removes the components of the velocities that would change a constrained distance. Does not wait.
  void constrain_velocities(Queue& queue, const World& world, const DeviceParticles& state);
  /// Moves particles along their forces by at most `longest`, where the largest force is `largest`; constraints are
  /// kept.
  void descend(Queue& queue, const World& world, const DeviceParticles& state, const Neighbours& neighbours,
               double longest, double largest);
  /// The largest of the stored forces; waits.
  double largest_force_blocking(Queue& queue, const DeviceParticles& state);
  std::optional<Constraints>& constraints() { return constraints_; }

 private:
  void launch(Queue& queue, const World& world, const DeviceParticles& state, const Neighbours& neighbours,
              const StepEnds& ends);
  void move(Queue& queue, const DeviceParticles& state, const Neighbours& neighbours);

  std::optional<Constraints> constraints_;
  cl::Kernel advance_, move_, descend_, largest_, kinetic_kernel_;
  cl::Buffer kinetic_, largest_word_;
};

}  // namespace orrery::particles
