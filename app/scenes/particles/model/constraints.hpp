/// Keeps distances while particles move. Owns clusters of constraints and their kernels. One thread at a time.
#pragma once

#include "compute/queue/host_mirror.hpp"
#include "scenes/particles/model/device_particles.hpp"

namespace orrery::particles {

class Constraints {
 public:
  /// The allowed relative error of a distance.
  static double tolerance(Precision precision) { return precision == Precision::single ? 2e-6 : 1e-8; }

  Constraints(ProgramLibrary& programs, Queue& queue, const World& world, const DeviceParticles& state);
  /// The programs that the constructor builds.
  static ProgramSpec program(const Device& device, Precision precision);

  /// Corrects the drift of length `dt` that is in the displacements, and the velocities with it.
  void enqueue_positions(Queue& queue, const DeviceParticles& state, double dt);
  void enqueue_velocities(Queue& queue, const DeviceParticles& state, double dt);
  /// Begins the search for the largest |r − d| / d, which error() returns when the queue has completed it.
  void enqueue_error(Queue& queue, const DeviceParticles& state);
  double error() const { return static_cast<double>(mirror_.as<cl_float>(1)[0]); }

  /// Enqueues the constraints' part of the virial under the present forces and velocities, a real per cluster.
  void enqueue_virials(Queue& queue, const DeviceParticles& state);
  const cl::Buffer& virials() const { return virials_; }
  std::size_t clusters() const { return clusters_; }

 private:
  std::size_t constraints_, clusters_ = 0;
  std::size_t triangles_ = 0;  // molecules that SETTLE solves
  std::size_t loose_ = 0;      // clusters that SHAKE solves, which come first
  cl::Kernel shake_, rattle_, settle_, error_, virial_;
  cl::Buffer pairs_, distances_, starts_, molecules_, shapes_, largest_, virials_;
  HostMirror mirror_;
};

}  // namespace orrery::particles
