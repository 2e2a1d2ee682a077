#include "scenes/particles/model/observer.hpp"
#include "compute/program/arguments.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace orrery::particles {
namespace {

constexpr std::size_t bytes_of_sum = 8;
constexpr std::size_t bins = 128;                // as in kernels/particles/particles_observe.cl
constexpr std::size_t motion_sums = 6;           // as there: kinetic, mass, momentum (3), broken
constexpr std::size_t enough_samples = 1 << 16;  // particles whose neighbours' distances are counted

double parameter(const PairLaw& law, const char* name) {
  return std::ranges::find(law.parameters, name, &LawParameter::name)->value;
}

struct Tail {
  double energy = 0, pressure = 0;
};

// M. P. Allen, D. J. Tildesley, Computer Simulation of Liquids (2017), section 2.8.
Tail tail_of(const World& world) {
  Tail tail;
  if (!world.box.periodic()) return tail;
  const double volume = world.box.volume(), n = static_cast<double>(world.particles.size()), density = n / volume;
  for (const PairLaw& law : world.pairs) {
    if (!law.tail) continue;
    const double epsilon = parameter(law, "epsilon"), sigma = parameter(law, "sigma");
    const double s3 = std::pow(sigma / law.cutoff, 3), s9 = s3 * s3 * s3, sigma3 = sigma * sigma * sigma;
    tail.energy += n * 8.0 / 3 * std::numbers::pi * density * epsilon * sigma3 * (s9 / 3 - s3);
    tail.pressure += 16.0 / 3 * std::numbers::pi * density * density * epsilon * sigma3 * (2 * s9 / 3 - s3);
  }
  return tail;
}

std::vector<cl_float4> looks_of(const World& world) {
  std::vector<cl_float4> looks;
  looks.reserve(world.particles.size());
  for (std::size_t i = 0; i < world.particles.size(); ++i) {
    const std::uint32_t kind = world.particles.kind[i];
    looks.push_back({{static_cast<float>(world.kinds[kind].radius), static_cast<float>(world.particles.charge[i]),
                      static_cast<float>(kind), 0}});
  }
  return looks;
}

}  // namespace

ProgramSpec ParticleObserver::program(const Device& device, Precision precision, std::size_t particles) {
  ProgramSpec spec{"particles_observe.cl", particle_definitions(device, precision)};
  spec.definitions["WORK_GROUP"] = std::to_string(reduction_over(particles, device.info()).group);
  if (sums_on(device.info()) == Sums::doubles) spec.definitions["SUM_DOUBLE"] = "1";
  return spec;
}

ParticleObserver::ParticleObserver(ProgramLibrary& programs, Queue& queue, const World& world,
                                   const DeviceParticles& state)
    : kind_(sums_on(state.device.info())),
      reduction_(reduction_over(state.count, state.device.info())),
      sum_count_(reduction_.groups * (motion_sums + 10 + 2 * world.groups.size() + 1)),
      sums_mirror_(state.device, queue, sum_count_ * bytes_of_sum),
      bins_mirror_(state.device, queue, 2 * bins * sizeof(cl_uint)) {
  const auto built = programs.build(program(state.device, state.precision, state.count));
  motion_ = built->kernel("measure_motion");
  values_ = built->kernel("sum_values");
  speeds_ = built->kernel("count_speeds");
  distances_ = built->kernel("count_distances");
  publish_ = built->kernel("publish");
  sums_ = state.device.buffer(sum_count_ * bytes_of_sum);
  bins_ = state.device.buffer(2 * bins * sizeof(cl_uint));
  looks_ = state.device.read_only(std::span<const cl_float4>(looks_of(world)));
  lightest_ = 0;
  for (const double mass : world.particles.mass) {
    if (!(mass > 0)) continue;
    ++moving_;
    lightest_ = lightest_ > 0 ? std::min(lightest_, mass) : mass;
  }
  if (lightest_ == 0) lightest_ = 1;
  state.set_words(queue, sums_, 0, sum_count_ * bytes_of_sum / sizeof(cl_int), 0);
}

void ParticleObserver::observe(Queue& queue, const World& world, const DeviceParticles& state, const Acting& acting,
                               const Moment& moment, bool with_pair_distribution) {
  const auto& [forces, constraints] = acting;
  moment_ = moment;
  laws_ = forces.laws().laws;
  names_.clear();
  for (const PairLaw& law : world.pairs) names_.push_back(law.name);
  for (const Groups& groups : world.groups) names_.push_back(groups.law.name);
  const Range range{cl::NDRange(reduction_.groups * reduction_.group), cl::NDRange(reduction_.group)};
  set_arguments(motion_, state.positions, state.velocities, state.particles(), sums_);
  queue.launch(particles_launch::observe, motion_, range);
  std::size_t next = motion_sums * reduction_.groups;
  const auto sum = [&](const cl::Buffer& values, std::size_t first, std::size_t count) {
    set_arguments(values_, values, static_cast<cl_uint>(first), static_cast<cl_uint>(count), sums_,
                  static_cast<cl_uint>(next));
    queue.launch(particles_launch::observe, values_, range);
    next += reduction_.groups;
  };
  for (std::size_t row = 0; row <= laws_; ++row) sum(forces.pair_energies(), row * state.count, state.count);
  for (std::size_t k = 0; k < world.groups.size(); ++k) {
    const std::size_t count = acting.forces.group_count(k);
    sum(forces.group_energies(k), 0, count);
    sum(forces.group_energies(k), count, count);
  }
  constrained_ = constraints != nullptr;
  if (constrained_) {
    constraints->enqueue_virials(queue, state);
    sum(constraints->virials(), 0, constraints->clusters());
  }
  const double thermal = std::sqrt(world.boltzmann * (moment.temperature > 0 ? moment.temperature : 1) / lightest_);
  speed_width_ = 5.5 * thermal / static_cast<double>(bins);
  with_pair_distribution = with_pair_distribution && forces.neighbours().listed() && world.box.periodic();
  distance_width_ = with_pair_distribution ? forces.neighbours().cutoff() / static_cast<double>(bins) : 0;
  enqueue_histograms(queue, state, forces.neighbours(), with_pair_distribution);
  queue.read(sums_, sums_mirror_.data_for(queue), sums_mirror_.size());
  read_ = queue.read(bins_, bins_mirror_.data_for(queue), bins_mirror_.size());
}

void ParticleObserver::enqueue_histograms(Queue& queue, const DeviceParticles& state, const Neighbours& neighbours,
                                          bool pairs) {
  const Range range{cl::NDRange(reduction_.groups * reduction_.group), cl::NDRange(reduction_.group)};
  state.set_words(queue, bins_, 0, 2 * bins, 0);
  const auto over = [](double width) { return Real{1 / width, Precision::single}; };
  set_arguments(speeds_, state.velocities, state.particles(), over(speed_width_), bins_);
  queue.launch(particles_launch::observe, speeds_, range);
  if (!pairs) return;
  const std::size_t stride = std::max<std::size_t>(1, state.count / enough_samples);
  sampled_ = 0;
  const std::size_t team = neighbours.team();
  for (std::size_t k = 0; k * team < state.count; k += stride) sampled_ += std::min(team, state.count - k * team);
  cl_buffer_region region{bins * sizeof(cl_uint), bins * sizeof(cl_uint)};
  cl::Buffer own = bins_.createSubBuffer(CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region);
  const Neighbours::Lists& lists = neighbours.lists();
  set_arguments(distances_, neighbours.positions(), state.particles(), lists.plain, lists.capacity, lists.masked,
                lists.masked_capacity, lists.counts, state.box, static_cast<cl_uint>(team),
                static_cast<cl_uint>(stride), over(distance_width_), own);
  const std::size_t items = round_up(sampled_, reduction_.group);
  queue.launch(particles_launch::observe, distances_,
               {cl::NDRange(std::min<std::size_t>(items, 256 * reduction_.group)), cl::NDRange(reduction_.group)});
}

double ParticleObserver::sum_at(std::size_t index) const {
  return total_of(sums_mirror_.as<std::byte>(sums_mirror_.size()).subspan(index * bytes_of_sum, bytes_of_sum), kind_);
}

double ParticleObserver::sum_of_groups(std::size_t first) const {
  double sum = 0;
  for (std::size_t g = 0; g < reduction_.groups; ++g) sum += sum_at(first + g);
  return sum;
}

Observables ParticleObserver::observables(const World& world) const {
  std::array<double, motion_sums> motion{};
  for (std::size_t g = 0; g < reduction_.groups; ++g)
    for (std::size_t k = 0; k < motion_sums; ++k) motion[k] += sum_at(g * motion_sums + k);
  Observables o;
  o.step = moment_.step;
  o.time = moment_.time;
  o.particles = world.particles.size();
  o.kinetic = motion[0];
  o.mass = motion[1];
  o.momentum = {motion[2], motion[3], motion[4]};
  o.broken = static_cast<std::int64_t>(motion[5]);
  const std::size_t groups = reduction_.groups;
  std::size_t at = motion_sums * groups;
  double virial = 0;
  for (std::size_t law = 0; law < laws_; ++law, at += groups) o.energies.push_back({names_[law], sum_of_groups(at)});
  virial += sum_of_groups(at);
  at += groups;
  for (std::size_t law = laws_; law < names_.size(); ++law, at += 2 * groups) {
    o.energies.push_back({names_[law], sum_of_groups(at)});
    virial += sum_of_groups(at + groups);
  }
  if (constrained_) virial += sum_of_groups(at);
  for (const LawEnergy& e : o.energies) o.potential += e.energy;
  const Tail tail = tail_of(world);
  o.potential += tail.energy;
  o.degrees_of_freedom = degrees_of_freedom(world);
  if (o.degrees_of_freedom > 0) o.temperature = 2 * o.kinetic / (o.degrees_of_freedom * world.boltzmann);
  if (world.box.periodic()) o.pressure = (2 * o.kinetic + virial) / (3 * world.box.volume()) + tail.pressure;
  const auto counts = bins_mirror_.as<cl_uint>(2 * bins);
  o.speeds.width = speed_width_;
  for (std::size_t k = 0; k < bins; ++k)
    o.speeds.values.push_back(static_cast<double>(counts[k]) /
                              (std::max<double>(static_cast<double>(moving_), 1) * speed_width_));
  if (distance_width_ > 0) {
    o.pair_distribution.width = distance_width_;
    const double density = static_cast<double>(o.particles) / world.box.volume();
    for (std::size_t k = 0; k < bins; ++k) {
      const double inner = static_cast<double>(k) * distance_width_, outer = inner + distance_width_;
      const double shell = 4.0 / 3 * std::numbers::pi * (outer * outer * outer - inner * inner * inner);
      o.pair_distribution.values.push_back(static_cast<double>(counts[bins + k]) /
                                           (static_cast<double>(sampled_) * density * shell));
    }
  }
  return o;
}

void ParticleObserver::publish(Queue& queue, const DeviceParticles& state, const ParticleForces& forces,
                               const cl::Buffer& surface) {
  const auto& [shares, starts, places] = forces.energy_shares();
  const bool grouped = shares() != nullptr;
  set_arguments(publish_, state.positions, state.velocities, looks_, forces.pair_energies(),
                static_cast<cl_uint>(forces.laws().laws), grouped ? shares : looks_, grouped ? starts : looks_,
                grouped ? places : looks_, static_cast<cl_uint>(grouped), state.particles(), state.box, surface);
  queue.launch(particles_launch::publish, publish_, elementwise(state.device.info(), state.count),
               Work(static_cast<double>(state.count)));
}

}  // namespace orrery::particles
