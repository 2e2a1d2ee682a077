#include "model/particles/stepper.hpp"

#include <cmath>
#include <limits>

namespace orrery::particles {
namespace {

cl_uint low_word(std::uint64_t value) { return static_cast<cl_uint>(value & 0xffffffffU); }
cl_uint high_word(std::uint64_t value) { return static_cast<cl_uint>(value >> 32); }

}  // namespace

Stepper::Stepper(ProgramLibrary& programs, Queue&, const World& world, const DeviceParticles& state) {
  ProgramSpec spec{"particles_advance.cl", particle_definitions(state.device, state.precision)};
  if (!world.constraints.empty()) spec.definitions["CONSTRAINED"] = "1";
  const auto program = programs.build(spec);
  advance_ = program->kernel("advance");
  move_ = program->kernel("move");
  kinetic_ = state.device.buffer(64 * sizeof(cl_double));
}

void Stepper::advance(Queue& queue, const World& world, const DeviceParticles& state, const Neighbours& neighbours,
                      bool closes, bool opens, const EngineClock& moment) {
  launch(queue, world, state, neighbours, closes, opens, moment);
}

void Stepper::launch(Queue& queue, const World& world, const DeviceParticles& state, const Neighbours& neighbours,
                     bool closes, bool opens, const EngineClock& moment) {
  const Ensemble& e = world.ensemble;
  const double kT = world.boltzmann * e.temperature_at(moment.time), keep = std::exp(-e.friction * e.dt);
  const double far2 =
      neighbours.listed() ? neighbours.leash() * neighbours.leash() : std::numeric_limits<double>::infinity();
  const auto step = static_cast<std::uint64_t>(moment.step);
  set_arguments(advance_, state.positions, state.velocities, state.forces, state.references, state.displacements,
                state.particles(), static_cast<cl_uint>(closes), static_cast<cl_uint>(opens), state.wide(e.dt / 2),
                state.wide(e.dt / 2), static_cast<cl_uint>(e.thermostat), state.wide(e.dt), state.wide(keep),
                state.wide(std::sqrt(kT * (1 - keep * keep))), low_word(world.seed), high_word(world.seed),
                low_word(step), high_word(step), state.wide(far2), kinetic_, cl_uint{0}, state.wide(0), state.wide(0),
                state.status);
  queue.launch(particles_launch::advance, advance_, elementwise(state.device.info(), state.count),
               Work(static_cast<double>(state.count)));
}

}  // namespace orrery::particles
