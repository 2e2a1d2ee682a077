#include "scenes/nbody/model/state_hash.hpp"
#include "compute/program/arguments.hpp"

#include <numeric>

namespace orrery {
namespace {

constexpr std::string_view hash_launch = "hash";

}  // namespace

ProgramSpec NbodyHasher::program(const Device& device, Precision precision, std::size_t bodies) {
  ProgramSpec spec{"nbody_hash.cl", {{"WORK_GROUP", std::to_string(reduction_over(bodies, device.info()).group)}}};
  spec.definitions["WORDS"] = precision == Precision::double_ ? "2" : "1";
  if (precision == Precision::mixed) spec.definitions["MIXED"] = "1";
  return spec;
}

NbodyHasher::NbodyHasher(ProgramLibrary& programs, Queue& queue, Precision precision, std::size_t bodies)
    : reduction_(reduction_over(bodies, programs.device().info())),
      sums_(programs.device().buffer(reduction_.groups * sizeof(cl_ulong))),
      mirror_(programs.device(), queue, reduction_.groups * sizeof(cl_ulong)) {
  hash_ = programs.build(program(programs.device(), precision, bodies))->kernel("hash_bodies");
  // Some drivers compile at the first launch of a kernel.
  const cl::Buffer nothing = programs.device().buffer(sizeof(cl_double4));
  set_arguments(hash_, nothing, nothing, nothing, nothing, cl_uint{0}, cl_uint{0}, sums_);
  queue.launch(hash_launch, hash_, {reduction_.groups * reduction_.group, reduction_.group});
}

void NbodyHasher::hash(Queue& queue, const NbodySimulation& simulation) {
  const NbodyBuffers state = simulation.buffers();
  const bool mixed = simulation.precision() == Precision::mixed;
  const cl::Buffer& unused = state.accelerations;
  set_arguments(hash_, state.positions, state.velocities, mixed ? simulation.corrections().positions : unused,
                mixed ? simulation.corrections().velocities : unused, static_cast<cl_uint>(simulation.bodies()),
                cl_uint{0}, sums_);
  queue.launch(hash_launch, hash_, {reduction_.groups * reduction_.group, reduction_.group},
               static_cast<double>(simulation.bodies()));
  queue.read(sums_, mirror_.data_for(queue), mirror_.size());
}

StateHash NbodyHasher::state_hash() const {
  const auto sums = mirror_.as<std::uint64_t>(reduction_.groups);
  return shortened(std::accumulate(sums.begin(), sums.end(), std::uint64_t{0}));
}

}  // namespace orrery
