/// The inside of an Engine, which engine.cpp and minimize.cpp share.
#pragma once

#include "compute/queue/host_mirror.hpp"
#include "scenes/particles/model/forces.hpp"
#include "scenes/particles/model/observer.hpp"
#include "scenes/particles/model/stepper.hpp"

namespace orrery::particles {

struct Engine::State {
  enum class Stage { forces, done };

  State(ProgramLibrary& library, World of, std::shared_ptr<LawKernels> laws)
      : programs(&library),
        world(std::move(of)),
        variant(laws->variant),
        setup(library.device()),
        particles(library, setup, world, variant.precision),
        forces(library, setup, world, particles, std::move(laws)),
        stepper(library, setup, world, particles),
        observer(library, setup, world, particles),
        mirror(library.device(), setup, status_bytes) {
    make_room(setup);
    stepper.constrain_velocities(setup, world, particles);
    setup.finish();
  }

  std::span<const cl_int> words() const { return mirror.as<cl_int>(static_cast<std::size_t>(Status::count)); }

  // Repeats until the lists have room.
  void make_room(Queue& queue) {
    for (;;) {
      forces.neighbours().enqueue(queue, particles, true);
      queue.read(particles.status, mirror.data_for(queue), mirror.size());
      queue.finish();
      if (!mend(queue)) return;
    }
  }

  CannotGoOn not_finite(Queue& queue, cl_int status);

  cl_int status(Status word) const { return words()[static_cast<std::size_t>(word)]; }

  // Causes of a frozen state: lists without room, forces out of range. Forces must be computed again.
  bool mend(Queue& queue) {
    constexpr double room_to_spare = 1.2;
    const cl_int needed = status(Status::needed);
    const std::optional<int> exponent = better_force_exponent(words());
    if (needed == 0 && !exponent) return false;
    if (needed != 0) {
      forces.neighbours().grow(static_cast<std::size_t>(room_to_spare * needed), particles);
      particles.set_status(queue, Status::needed, 0);
    }
    if (exponent) use_force_exponent(queue, *exponent);
    particles.set_status(queue, Status::frozen, 0);
    return true;
  }

  void use_force_exponent(Queue& queue, int exponent) {
    force_exponent = exponent;
    particles.set_status(queue, Status::force_exponent, exponent);
    particles.set_status(queue, Status::well_in_range, 0);
    particles.set_status(queue, Status::out_of_range, 0);
    particles.set_status(queue, Status::waits_for_range, 0);
  }

  void evaluate(bool observed, bool may_order) {
    forces.begin(observed, may_order);
    stage = Stage::forces;
  }

  // Work after an evaluation of the forces, or at the start of a burst whose forces are known.
  double advance(Queue& queue) {
    const bool closes = open && burst.steps > 0, opens = to_open > 0;
    if (!closes && !opens) {
      stage = Stage::done;
      return 0;
    }
    stepper.advance(queue, world, particles, forces.neighbours(), {closes, opens, ahead});
    if (opens) {
      --to_open;
      ++ahead.step;
      ahead.time += world.ensemble.dt;
      evaluate(burst.observe && to_open == 0, ahead.step % order_every == 0);
    } else {
      stage = Stage::done;
    }
    open = opens || (open && !closes);
    constexpr double launch_seconds = 20e-6;  // the cost of the shortest launch
    return launch_seconds;
  }

  ProgramLibrary* programs;
  World world;
  ForceVariant variant;
  Queue setup;
  DeviceParticles particles;
  ParticleForces forces;
  Stepper stepper;
  ParticleObserver observer;
  HostMirror mirror;

  EngineClock clock;               // at the end of the enqueued bursts
  EngineClock ahead;               // clock of the next step to open
  std::int64_t closed_before = 0;  // count of the device at the last query
  double dt_of_burst = 0;
  ParticleBurst burst;
  Stage stage = Stage::done;
  std::int64_t to_open = 0;
  int force_exponent = first_force_exponent;
  bool force_range_found = false;  // forces were in range at least once
  RangeChanges range_changes;
  bool open = false;  // a step has begun and waits for its forces
  bool forces_known = false, energies_known = false;
  bool sliders_changed = false;
};

}  // namespace orrery::particles
