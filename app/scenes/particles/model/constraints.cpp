#include "scenes/particles/model/constraints.hpp"
#include "compute/program/arguments.hpp"

#include <map>
#include <numeric>
#include <set>

namespace orrery::particles {
namespace {

/// Constraints that share particles, directly or through others.
using Cluster = std::vector<Constraint>;

std::vector<Cluster> clusters_of(const World& world) {
  std::vector<std::uint32_t> root(world.particles.size());
  std::iota(root.begin(), root.end(), 0U);
  const auto find = [&](std::uint32_t i) {
    while (root[i] != i) i = root[i] = root[root[i]];
    return i;
  };
  for (const Constraint& c : world.constraints) root[find(c.second)] = find(c.first);
  std::map<std::uint32_t, Cluster> by_root;
  for (const Constraint& c : world.constraints) by_root[find(c.first)].push_back(c);
  std::vector<Cluster> clusters;
  for (auto& [first, cluster] : by_root) clusters.push_back(std::move(cluster));
  return clusters;
}

struct Triangle {
  std::array<std::uint32_t, 3> members;
  double leg, base;
};

// Three particles, two of equal mass at equal distances from the third: rigid water.
std::optional<Triangle> triangle_of(const World& world, const Cluster& cluster) {
  if (cluster.size() != 3) return std::nullopt;
  std::set<std::uint32_t> members;
  for (const Constraint& c : cluster) members.insert({c.first, c.second});
  if (members.size() != 3) return std::nullopt;
  const auto distance = [&](std::uint32_t a, std::uint32_t b) {
    for (const Constraint& c : cluster)
      if ((c.first == a && c.second == b) || (c.first == b && c.second == a)) return c.distance;
    return 0.0;
  };
  const std::vector<std::uint32_t> m(members.begin(), members.end());
  for (std::size_t apex = 0; apex < 3; ++apex) {
    const std::uint32_t a = m[apex], b = m[(apex + 1) % 3], c = m[(apex + 2) % 3];
    const auto& mass = world.particles.mass;
    const double leg = distance(a, b), base = distance(b, c);
    if (leg > 0 && leg == distance(a, c) && base > 0 && mass[b] == mass[c] && mass[a] > 0 && mass[b] > 0 &&
        base < 1.99 * leg)
      return Triangle{{a, b, c}, leg, base};
  }
  return std::nullopt;
}

}  // namespace

ProgramSpec Constraints::program(const Device& device, Precision precision) {
  return {"particles_constraints.cl", particle_definitions(device, precision)};
}

Constraints::Constraints(ProgramLibrary& programs, Queue& queue, const World& world, const DeviceParticles& state)
    : constraints_(world.constraints.size()), mirror_(state.device, queue, sizeof(cl_float)) {
  const auto built = programs.build(program(state.device, state.precision));
  shake_ = built->kernel("shake");
  rattle_ = built->kernel("rattle");
  settle_ = built->kernel("settle");
  error_ = built->kernel("constraint_error");
  virial_ = built->kernel("constraint_virial");
  std::vector<Cluster> loose, rigid;
  std::vector<cl_uint4> molecules;
  std::vector<double> shapes, distances;
  for (Cluster& cluster : clusters_of(world)) {
    const auto triangle = triangle_of(world, cluster);
    if (triangle) {
      molecules.push_back({{triangle->members[0], triangle->members[1], triangle->members[2], 0}});
      shapes.insert(shapes.end(), {triangle->leg, triangle->base});
    }
    (triangle ? rigid : loose).push_back(std::move(cluster));
  }
  loose_ = loose.size();
  triangles_ = rigid.size();
  clusters_ = loose_ + triangles_;
  std::vector<cl_uint2> pairs;
  std::vector<std::uint32_t> starts{0};
  for (const auto* clusters : {&loose, &rigid})
    for (const Cluster& cluster : *clusters) {
      for (const Constraint& c : cluster) {
        pairs.push_back({{c.first, c.second}});
        distances.push_back(c.distance);
      }
      starts.push_back(static_cast<std::uint32_t>(pairs.size()));
    }
  if (molecules.empty()) molecules.push_back({});
  pairs_ = state.device.read_only(std::span<const cl_uint2>(pairs));
  molecules_ = state.device.read_only(std::span<const cl_uint4>(molecules));
  starts_ = uint_buffer(state.device, starts);
  distances_ = real_buffer(state.device, queue, state.wide(), distances);
  shapes_ = real_buffer(state.device, queue, state.wide(), shapes);
  largest_ = state.device.buffer(sizeof(cl_int));
  virials_ = state.device.buffer(clusters_ * state.bytes_of_real());
}

void Constraints::enqueue_positions(Queue& queue, const DeviceParticles& state, double dt) {
  if (loose_ > 0) {
    set_arguments(shake_, state.positions, state.displacements, state.velocities, pairs_, distances_, starts_,
                  static_cast<cl_uint>(loose_), state.box, state.wide(1 / dt), state.wide(tolerance(state.precision)),
                  state.status);
    queue.launch(particles_launch::constrain, shake_, elementwise(state.device.info(), loose_));
  }
  if (triangles_ > 0) {
    set_arguments(settle_, state.positions, state.displacements, state.velocities, molecules_, shapes_,
                  static_cast<cl_uint>(triangles_), state.box, state.wide(1 / dt), state.status);
    queue.launch(particles_launch::constrain, settle_, elementwise(state.device.info(), triangles_));
  }
}

void Constraints::enqueue_velocities(Queue& queue, const DeviceParticles& state, double dt) {
  set_arguments(rattle_, state.positions, state.velocities, pairs_, distances_, starts_,
                static_cast<cl_uint>(clusters_), state.box, state.wide(tolerance(state.precision)), state.wide(dt),
                state.status);
  queue.launch(particles_launch::constrain, rattle_, elementwise(state.device.info(), clusters_));
}

// The displacements are free as scratch memory: between steps none needs a correction.
void Constraints::enqueue_virials(Queue& queue, const DeviceParticles& state) {
  const double tolerance = state.precision == Precision::single ? 1e-5 : 1e-9;
  set_arguments(virial_, state.positions, state.velocities, state.forces, state.exponents, state.status,
                state.displacements, state.particles(), pairs_, starts_, static_cast<cl_uint>(clusters_), state.box,
                state.wide(tolerance), virials_);
  queue.launch(particles_launch::constrain, virial_, elementwise(state.device.info(), clusters_));
}

void Constraints::enqueue_error(Queue& queue, const DeviceParticles& state) {
  state.set_words(queue, largest_, 0, 1, 0);
  set_arguments(error_, state.positions, pairs_, distances_, static_cast<cl_uint>(constraints_), state.box, largest_);
  queue.launch(particles_launch::constrain, error_, elementwise(state.device.info(), constraints_));
  queue.read(largest_, mirror_.data_for(queue), mirror_.size());
}

}  // namespace orrery::particles
