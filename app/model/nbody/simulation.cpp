#include "model/nbody/simulation.hpp"

#include <array>
#include <cmath>

#include "base/error.hpp"

namespace orrery {
namespace {

constexpr double launch_seconds = 20e-6;  // what a launch costs, however little it does
constexpr double worth_beginning = 0.25;  // of a slice: with less than that left a force is not cut any more

// Yoshida's weights: three leapfrogs, the middle one backwards, cancel the error of third order.
const double cube_root_of_2 = std::cbrt(2.0);
const std::array<double, 3> yoshida{1 / (2 - cube_root_of_2), -cube_root_of_2 / (2 - cube_root_of_2),
                                    1 / (2 - cube_root_of_2)};

std::int64_t substeps_of(Integrator integrator) {
  return integrator == Integrator::yoshida4 ? static_cast<std::int64_t>(yoshida.size()) : 1;
}

template <class Real4, class Real>
struct Upload {
  std::vector<Real4> positions, velocities;

  explicit Upload(const Bodies& bodies) {
    positions.reserve(bodies.size());
    velocities.reserve(bodies.size());
    for (const Body& b : bodies) {
      positions.push_back({{Real(b.x), Real(b.y), Real(b.z), Real(b.mass)}});
      velocities.push_back({{Real(b.vx), Real(b.vy), Real(b.vz), Real(0)}});
    }
  }
  void write(Queue& queue, const cl::Buffer& to_positions, const cl::Buffer& to_velocities) const {
    queue.write_blocking(to_positions, std::span<const Real4>(positions));
    queue.write_blocking(to_velocities, std::span<const Real4>(velocities));
  }
};

// What a float leaves of a double.
double rest(double value) { return value - static_cast<double>(static_cast<float>(value)); }

Bodies rests_of(const Bodies& bodies) {
  Bodies rests;
  rests.reserve(bodies.size());
  for (const Body& b : bodies)
    rests.push_back({0, rest(b.x), rest(b.y), rest(b.z), rest(b.vx), rest(b.vy), rest(b.vz)});
  return rests;
}

template <class Real4>
Bodies bodies_from(std::span<const Real4> positions, std::span<const Real4> velocities) {
  Bodies bodies(positions.size());
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const auto& x = positions[i].s;
    const auto& v = velocities[i].s;
    bodies[i] = {x[3], x[0], x[1], x[2], v[0], v[1], v[2]};
  }
  return bodies;
}

void add(Bodies& bodies, const Bodies& rests) {
  for (std::size_t i = 0; i < bodies.size(); ++i)
    for (double Body::*of : {&Body::x, &Body::y, &Body::z, &Body::vx, &Body::vy, &Body::vz})
      bodies[i].*of += rests[i].*of;
}

}  // namespace

NbodySimulation::NbodySimulation(const Device& device, const Bodies& bodies, Precision precision, NbodyClock clock)
    : device_(device.info()),
      precision_(precision),
      count_(bodies.size()),
      parts_(device.buffer(parts_of(bodies.size()).count * bodies.size() * bytes_of_real4(precision))),
      force_(device, bodies.size(), precision, parts_),
      clock_(clock) {
  const std::size_t bytes = count_ * bytes_of_real4(precision);
  for (cl::Buffer& buffer : positions_) buffer = device.buffer(bytes);
  velocities_ = device.buffer(bytes);
  accelerations_ = device.buffer(bytes);
  Queue queue(device);
  if (precision == Precision::double_)
    Upload<cl_double4, cl_double>(bodies).write(queue, positions_[0], velocities_);
  else
    Upload<cl_float4, cl_float>(bodies).write(queue, positions_[0], velocities_);
  if (precision == Precision::mixed) {
    for (cl::Buffer& buffer : position_corrections_) buffer = device.buffer(bytes);
    velocity_corrections_ = device.buffer(bytes);
    Upload<cl_float4, cl_float>(rests_of(bodies)).write(queue, position_corrections_[0], velocity_corrections_);
  }
  queue.finish();
}

void NbodySimulation::use(NbodyKernels kernels) {
  force_.use(kernels.variant, whole_field(count_));
  kernels_ = std::move(kernels);
}

void NbodySimulation::begin_burst(const Burst& burst) {
  burst_ = burst;
  const bool known = field_softening_ == burst.softening && (burst.steps > 0 || field_potential_ || !burst.potential);
  evaluates_first_ = !known;
  forces_planned_ = burst.steps * substeps_of(kernels_->variant.integrator) + (evaluates_first_ ? 1 : 0);
  forces_done_ = 0;
  clock_.step += burst.steps;
  clock_.time += static_cast<double>(burst.steps) * burst.dt;
  if (evaluates_first_) {
    force_.begin(burst.potential && burst.steps == 0);
    stage_ = Stage::force;
  } else {
    stage_ = burst.steps > 0 ? Stage::open : Stage::done;
  }
}

bool NbodySimulation::enqueue_slice(Queue& queue, double budget) {
  for (double left = budget; stage_ != Stage::done && (left == budget || left > worth_beginning * budget);) {
    if (stage_ == Stage::open) {
      left -= enqueue_advance(queue, false, true);
    } else {
      left -= force_.enqueue(queue, *kernels_, positions_[present_], burst_.softening, left);
      if (!force_.complete()) continue;
      ++forces_done_;
      left -= enqueue_advance(queue, true, forces_done_ < forces_planned_);
    }
  }
  return stage_ == Stage::done;
}

// Half the length of the step that force evaluation `index` of this burst closes; the one before the first step closes
// none.
double NbodySimulation::half_step(std::int64_t index) const {
  const std::int64_t step = index - (evaluates_first_ ? 1 : 0);
  if (step < 0) return 0;
  const bool composed = kernels_->variant.integrator == Integrator::yoshida4;
  return burst_.dt * (composed ? yoshida[static_cast<std::size_t>(step) % yoshida.size()] : 1) / 2;
}

double NbodySimulation::enqueue_advance(Queue& queue, bool closes, bool opens) {
  constexpr cl_uint closing = 1, opening = 2;  // nbody_advance.cl names them CLOSES and OPENS
  const bool mixed = precision_ == Precision::mixed, doubles = kernels_->doubles;
  const std::size_t from = present_, to = opens ? 1 - present_ : present_;
  const cl::Buffer& unused = accelerations_;
  const auto correction = [&](const cl::Buffer& buffer) -> const cl::Buffer& { return mixed ? buffer : unused; };
  const double closed = closes ? half_step(forces_done_ - 1) : 0, opened = opens ? half_step(forces_done_) : 0;
  set_arguments(kernels_->advance, positions_[from], correction(position_corrections_[from]), positions_[to],
                correction(position_corrections_[to]), velocities_, correction(velocity_corrections_), parts_,
                static_cast<cl_uint>(parts_of(count_).count), accelerations_, static_cast<cl_uint>(count_),
                static_cast<cl_uint>(count_), (closes ? closing : 0U) | (opens ? opening : 0U),
                Wide{closed, precision_, doubles}, Wide{opened, precision_, doubles},
                Real{softening_arguments(burst_.softening, precision_).inverse, precision_});
  queue.launch(nbody_launch::advance, kernels_->advance, elementwise(device_, count_), static_cast<double>(count_));
  present_ = to;
  field_softening_.reset();
  stage_ = opens ? Stage::force : Stage::done;
  if (opens) {
    force_.begin(burst_.potential && forces_done_ + 1 == forces_planned_);
  } else {
    field_softening_ = burst_.softening;
    field_potential_ = burst_.potential;
  }
  return launch_seconds;
}

double NbodySimulation::burst_progress() const {
  if (stage_ == Stage::done || forces_planned_ == 0) return 1;
  const double part = stage_ == Stage::force ? force_.progress() : 0;
  return (static_cast<double>(forces_done_) + part) / static_cast<double>(forces_planned_);
}

double NbodySimulation::burst_work() const {
  const auto n = static_cast<double>(count_);
  return static_cast<double>(forces_planned_) * n * n;
}

void run_burst(NbodySimulation& simulation, Queue& queue, const Burst& burst, const std::function<void()>& between) {
  constexpr double slice = 0.25;
  simulation.begin_burst(burst);
  while (!simulation.burst_enqueued()) {
    simulation.enqueue_slice(queue, slice);
    queue.finish();
    if (between) between();
  }
}

Bodies bodies_of(const Device& device, Queue& queue, const NbodySimulation& simulation) {
  const NbodyDownload download(device, queue, simulation);
  queue.finish();
  return download.bodies();
}

NbodyDownload::NbodyDownload(const Device& device, Queue& queue, const NbodySimulation& simulation)
    : count_(simulation.bodies()),
      precision_(simulation.precision()),
      clock_(simulation.clock()),
      positions_(device, queue, count_ * bytes_of_real4(precision_)),
      velocities_(device, queue, count_ * bytes_of_real4(precision_)) {
  if (precision_ == Precision::mixed) {
    position_corrections_.emplace(device, queue, positions_.size());
    velocity_corrections_.emplace(device, queue, positions_.size());
    queue.read(simulation.corrections().positions, position_corrections_->data(), positions_.size());
    queue.read(simulation.corrections().velocities, velocity_corrections_->data(), positions_.size());
  }
  queue.read(simulation.buffers().positions, positions_.data(), positions_.size());
  last_ = queue.read(simulation.buffers().velocities, velocities_.data(), velocities_.size());
}

Bodies NbodyDownload::bodies() const {
  if (precision_ == Precision::double_)
    return bodies_from(positions_.as<cl_double4>(count_), velocities_.as<cl_double4>(count_));
  Bodies bodies = bodies_from(positions_.as<cl_float4>(count_), velocities_.as<cl_float4>(count_));
  if (position_corrections_)
    add(bodies,
        bodies_from(position_corrections_->as<cl_float4>(count_), velocity_corrections_->as<cl_float4>(count_)));
  return bodies;
}

}  // namespace orrery
