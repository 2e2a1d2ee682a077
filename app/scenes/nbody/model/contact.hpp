/// Bodies that touch merge or bounce: kernels/nbody/nbody_contact.cl. Runs once a step, between the last drift and the
/// field.
///
/// Kernels are built on any thread; afterwards they belong to the thread that launches them.
#pragma once

#include "compute/program/program.hpp"
#include "compute/queue/queue.hpp"
#include "compute/tuning/element_group.hpp"
#include "scenes/nbody/model/settings.hpp"

namespace orrery {

/// The terms of contacts; ignored where bodies pass.
struct NbodyTouch {
  double radius = 0;       ///< of a body of mass 1; others have the same density. 0: bodies never touch
  double restitution = 1;  ///< ratio of speeds in a bounce
};
NbodyTouch touch_of(const NbodySettings& settings);
/// True if no contact changes the energy.
bool keeps_energy(const NbodySettings& settings);

struct NbodyContactKernels {
  /// `contact` must not be pass. Launches each kernel once without bodies: some drivers compile then.
  NbodyContactKernels(ProgramLibrary& programs, Contact contact, Precision precision, bool doubles);
  static ProgramSpec program(const Device& device, Contact contact, Precision precision, bool doubles);

  cl::Kernel put, find, settle, meet;
};

/// The buffers that the state of the bodies consists of; null corrections except in mixed precision.
struct NbodyMoved {
  const cl::Buffer &positions, &position_corrections, &velocities, &velocity_corrections;
};

/// Owns the cells of the bodies and their encounters.
class NbodyContacts {
 public:
  NbodyContacts(const Device& device, std::size_t bodies, Precision precision);
  /// The bytes that it owns.
  static std::size_t bytes(std::size_t bodies);

  /// Enqueues the contacts of all bodies. `backwards`: time runs backwards.
  void enqueue(Queue& queue, NbodyContactKernels& kernels, const NbodyMoved& bodies, const NbodyTouch& touch,
               bool backwards);

 private:
  std::size_t bodies_, buckets_;
  Precision precision_;
  cl::Buffer heads_, next_, meetings_, levels_;
};

}  // namespace orrery
