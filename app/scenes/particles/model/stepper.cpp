#include "scenes/particles/model/stepper.hpp"
#include "compute/program/arguments.hpp"

#include <cmath>
#include <limits>

namespace orrery::particles {
namespace {

// The same layout as step_t in kernels/particles/particles_advance.cl.
template <class Wide>
struct StepNumbers {
  cl_ulong seed, step;
  Wide dt, keep, noise, far2, kinetic_target, relaxation_rate;
  cl_uint listed, particles, closes, opens, thermostat, kinetic_rows;
};

constexpr std::size_t kinetic_rows = 16, kinetic_group = 16;  // the latter as in kernels/particles/particles_advance.cl

double far2_of(const Neighbours& neighbours) { return neighbours.leash() * neighbours.leash(); }

ProgramSpec advance_spec(const Device& device, const World& world, Precision precision) {
  ProgramSpec spec{"particles_advance.cl", particle_definitions(device, precision)};
  if (!world.constraints.empty()) spec.definitions["CONSTRAINED"] = "1";
  return spec;
}

}  // namespace

std::vector<ProgramSpec> Stepper::programs(const Device& device, const World& world, Precision precision) {
  std::vector<ProgramSpec> all{advance_spec(device, world, precision)};
  if (!world.constraints.empty()) all.push_back(Constraints::program(device, precision));
  return all;
}

Stepper::Stepper(ProgramLibrary& programs, Queue& queue, const World& world, const DeviceParticles& state) {
  if (!world.constraints.empty()) constraints_.emplace(programs, queue, world, state);
  const auto program = programs.build(advance_spec(state.device, world, state.precision));
  advance_ = program->kernel("advance");
  move_ = program->kernel("move");
  descend_ = program->kernel("descend");
  largest_ = program->kernel("largest_force");
  kinetic_kernel_ = program->kernel("sum_kinetic");
  kinetic_ = state.device.buffer(kinetic_rows * sizeof(cl_double));
  largest_word_ = state.device.buffer(sizeof(cl_int));
}

// Uses two launches if other work comes between the end of a step and the beginning of the next.
void Stepper::advance(Queue& queue, const World& world, const DeviceParticles& state, const Neighbours& neighbours,
                      const StepEnds& ends) {
  const bool berendsen = world.ensemble.thermostat == Thermostat::berendsen;
  if (!constraints_ && !berendsen) return launch(queue, world, state, neighbours, ends);
  if (ends.closes) {
    launch(queue, world, state, neighbours, {true, false, ends.moment});
    constrain_velocities(queue, world, state);
  }
  if (!ends.opens) return;
  if (berendsen) {
    set_arguments(kinetic_kernel_, state.velocities, state.particles(), kinetic_, state.status);
    queue.launch(particles_launch::advance, kinetic_kernel_,
                 {cl::NDRange(kinetic_rows * kinetic_group), cl::NDRange(kinetic_group)});
  }
  launch(queue, world, state, neighbours, {false, true, ends.moment});
  if (!constraints_) return;
  constraints_->enqueue_positions(queue, state, world.ensemble.dt);
  move(queue, state, neighbours);
}

void Stepper::constrain_velocities(Queue& queue, const World& world, const DeviceParticles& state) {
  if (constraints_) constraints_->enqueue_velocities(queue, state, world.ensemble.dt);
}

void Stepper::launch(Queue& queue, const World& world, const DeviceParticles& state, const Neighbours& neighbours,
                     const StepEnds& ends) {
  const Ensemble& e = world.ensemble;
  const double kT = world.boltzmann * e.temperature_at(ends.moment.time), keep = std::exp(-e.friction * e.dt);
  // Counting them takes the host as long as a step takes the device.
  const double degrees = e.thermostat == Thermostat::berendsen ? degrees_of_freedom(world) : 0;
  const auto set = [&]<class Wide>(Wide) {
    const StepNumbers<Wide> step{.seed = world.seed,
                                 .step = static_cast<cl_ulong>(ends.moment.step),
                                 .dt = static_cast<Wide>(e.dt),
                                 .keep = static_cast<Wide>(keep),
                                 .noise = static_cast<Wide>(std::sqrt(kT * (1 - keep * keep))),
                                 .far2 = static_cast<Wide>(far2_of(neighbours)),
                                 .kinetic_target = static_cast<Wide>(kT * degrees / 2),
                                 .relaxation_rate = static_cast<Wide>(e.dt / e.relaxation),
                                 .listed = static_cast<cl_uint>(neighbours.listed()),
                                 .particles = state.particles(),
                                 .closes = static_cast<cl_uint>(ends.closes),
                                 .opens = static_cast<cl_uint>(ends.opens),
                                 .thermostat = static_cast<cl_uint>(e.thermostat),
                                 .kinetic_rows = static_cast<cl_uint>(kinetic_rows)};
    set_arguments(advance_, ByValue{step}, state.positions, state.velocities, state.forces, state.exponents,
                  state.references, state.displacements, neighbours.slot_of(), neighbours.positions(), kinetic_,
                  state.status);
  };
  state.precision == Precision::single ? set(cl_float{}) : set(cl_double{});
  queue.launch(particles_launch::advance, advance_, elementwise(state.device.info(), state.count),
               Work(static_cast<double>(state.count)));
}

void Stepper::move(Queue& queue, const DeviceParticles& state, const Neighbours& neighbours) {
  set_arguments(move_, state.positions, state.references, state.displacements, neighbours.slot_of(),
                neighbours.positions(), static_cast<cl_uint>(neighbours.listed()), state.particles(),
                state.wide(far2_of(neighbours)), state.status);
  queue.launch(particles_launch::advance, move_, elementwise(state.device.info(), state.count));
}

void Stepper::descend(Queue& queue, const World&, const DeviceParticles& state, const Neighbours& neighbours,
                      double longest, double largest) {
  set_arguments(descend_, state.velocities, state.forces, state.exponents, state.displacements, state.particles(),
                state.wide(largest > 0 ? longest / largest : 0), state.wide(longest), state.status);
  queue.launch(particles_launch::advance, descend_, elementwise(state.device.info(), state.count));
  if (constraints_) constraints_->enqueue_positions(queue, state, std::numeric_limits<double>::infinity());
  move(queue, state, neighbours);
}

double Stepper::largest_force_blocking(Queue& queue, const DeviceParticles& state) {
  state.set_words(queue, largest_word_, 0, 1, 0);
  set_arguments(largest_, state.velocities, state.forces, state.exponents, state.particles(), state.status,
                largest_word_);
  queue.launch(particles_launch::observe, largest_, elementwise(state.device.info(), state.count));
  return static_cast<double>(queue.read_blocking<cl_float>(largest_word_, 1).front());
}

}  // namespace orrery::particles
