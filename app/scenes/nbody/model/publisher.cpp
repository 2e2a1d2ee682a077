#include "scenes/nbody/model/publisher.hpp"

#include <algorithm>
#include <numbers>
#include <numeric>

#include "compute/program/arguments.hpp"

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

// ---- values for drawing, and diagnostics

namespace {

// One row of sums, in the order of nbody_diagnostics.cl.
enum Sum : std::size_t {
  kinetic,
  potential,
  mass,
  momentum,
  angular_momentum = momentum + 3,
  mass_moment = angular_momentum + 3,
  speed = mass_moment + 3,
  acceleration = speed + 3,
  depth = acceleration + 3,
  measured_value = depth + 3,
  broken = measured_value + 3,
  gone,
  largest_rate,  // not a sum
  sums
};

constexpr std::size_t bytes_of_sum = 8;

// A sum is a double, or an unevaluated sum of two floats.
double sum_at(const HostMirror& mirror, std::size_t index, Sums kind) {
  if (kind == Sums::doubles) return mirror.as<double>(index + 1)[index];
  const auto parts = mirror.as<float>(2 * index + 2);
  return static_cast<double>(parts[2 * index]) + static_cast<double>(parts[2 * index + 1]);
}

ProgramSpec publish_spec(const Device& device, Precision precision) {
  return {"nbody_publish.cl", precision_definitions(device, precision)};
}

ProgramSpec diagnose_spec(const Device& device, Precision precision, std::size_t bodies, Sums kind) {
  ProgramSpec spec{"nbody_diagnostics.cl", precision_definitions(device, precision)};
  spec.definitions["WORK_GROUP"] = std::to_string(reduction_over(bodies, device.info()).group);
  if (kind == Sums::doubles) spec.definitions["SUM_DOUBLE"] = "1";
  return spec;
}

}  // namespace

std::vector<ProgramSpec> NbodyPublisher::programs(const Device& device, Precision precision, std::size_t bodies,
                                                  Sums kind) {
  return {NbodyHasher::program(device, precision, bodies), publish_spec(device, precision),
          diagnose_spec(device, precision, bodies, kind)};
}

NbodyPublisher::NbodyPublisher(ProgramLibrary& programs, Precision precision, std::size_t bodies)
    : NbodyPublisher(programs, precision, bodies, sums_on(programs.device().info())) {}

NbodyPublisher::NbodyPublisher(ProgramLibrary& programs, Precision precision, std::size_t bodies, Sums kind)
    : NbodyPublisher(programs, Queue(programs.device()), precision, bodies, kind) {}

NbodyPublisher::NbodyPublisher(ProgramLibrary& programs, Queue queue, Precision precision, std::size_t bodies,
                               Sums kind)
    : device_(programs.device().info()),
      kind_(kind),
      reduction_(reduction_over(bodies, device_)),
      hasher_(programs, queue, precision, bodies),
      rows_(programs.device().buffer(reduction_.groups * sums * bytes_of_sum)),
      mirror_(programs.device(), queue, reduction_.groups * sums * bytes_of_sum) {
  publish_ = programs.build(publish_spec(programs.device(), precision))->kernel("publish");
  diagnose_ = programs.build(diagnose_spec(programs.device(), precision, bodies, kind_))->kernel("diagnose");
  // Some drivers compile at the first launch of a kernel.
  const cl::Buffer nothing = programs.device().buffer(sizeof(cl_double4));
  set_arguments(publish_, nothing, nothing, nothing, cl_uint{0}, cl_uint{0}, nothing, cl_uint{0}, nothing);
  set_arguments(diagnose_, nothing, nothing, nothing, cl_uint{0}, nothing, cl_uint{0}, rows_);
  queue.launch(nbody_launch::publish, publish_, elementwise(device_, bodies));
  queue.launch(nbody_launch::diagnose, diagnose_, {reduction_.groups * reduction_.group, reduction_.group});
  queue.finish();
}

void NbodyPublisher::publish(Queue& queue, const NbodySimulation& simulation, const cl::Buffer& surface,
                             bool field_known, const cl::Buffer& measured) {
  const auto [positions, velocities, accelerations] = simulation.buffers();
  set_arguments(publish_, positions, velocities, accelerations, static_cast<cl_uint>(simulation.bodies()),
                static_cast<cl_uint>(field_known), measured() != nullptr ? measured : positions,
                static_cast<cl_uint>(measured() != nullptr), surface);
  queue.launch(nbody_launch::publish, publish_, elementwise(device_, simulation.bodies()),
               Work(static_cast<double>(simulation.bodies()), publish_cost(simulation.precision()),
                    simulation.precision() == Precision::double_));
}

void NbodyPublisher::diagnose(Queue& queue, const NbodySimulation& simulation, const cl::Buffer& measured) {
  const auto [positions, velocities, accelerations] = simulation.buffers();
  set_arguments(diagnose_, positions, velocities, accelerations, static_cast<cl_uint>(simulation.bodies()),
                measured() != nullptr ? measured : positions, static_cast<cl_uint>(measured() != nullptr), rows_);
  queue.launch(nbody_launch::diagnose, diagnose_, {reduction_.groups * reduction_.group, reduction_.group},
               Work(static_cast<double>(simulation.bodies()), diagnose_cost(simulation.precision()), true));
  hasher_.hash(queue, simulation);
  read_ = queue.read(rows_, mirror_.data_for(queue), mirror_.size());
  clock_ = simulation.clock();
  potential_known_ = simulation.potential_known();
}

NbodyDiagnostics NbodyPublisher::diagnostics() const {
  std::array<double, sums> sum{};
  for (std::size_t row = 0; row < reduction_.groups; ++row)
    for (std::size_t k = 0; k < sums; ++k) {
      const double value = sum_at(mirror_, row * sums + k, kind_);
      sum[k] = k == largest_rate ? std::max(sum[k], value) : sum[k] + value;
    }
  NbodyDiagnostics d;
  d.step = clock_.step;
  d.time = clock_.time;
  d.kinetic = sum[kinetic];
  d.potential = sum[potential];
  d.mass = sum[mass];
  for (std::size_t k = 0; k < 3; ++k) {
    d.momentum[k] = sum[momentum + k];
    d.angular_momentum[k] = sum[angular_momentum + k];
    d.centre[k] = sum[mass] > 0 ? sum[mass_moment + k] / sum[mass] : 0;
  }
  const auto spread = [&](std::size_t of) { return log_spread(sum[of + 2], sum[of], sum[of + 1]); };
  d.speed = spread(speed);
  d.acceleration = spread(acceleration);
  d.depth = spread(depth);
  d.measured = spread(measured_value);
  d.broken = static_cast<std::int64_t>(sum[broken]);
  d.gone = static_cast<std::int64_t>(sum[gone]);
  // The time of a fall from rest onto a mass m at the distance r: π/2 √(r³ / 2m).
  d.free_fall = std::numbers::pi / (2 * std::numbers::sqrt2 * sum[largest_rate]);
  d.hash = hasher_.state_hash();
  d.potential_known = potential_known_;
  return d;
}

}  // namespace orrery
