#include "model/nbody/simulation.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace orrery {
namespace {

// What the device is taken for until the profiler has measured it: slow, so that a first launch is never long.
double guessed_seconds_per_interaction(const DeviceInfo& device) {
  return device.device_class == DeviceClass::cpu ? 1e-9 : 1e-11;
}

constexpr double launch_seconds = 20e-6;  // what a launch costs, however little it does
constexpr double longest_launch = 0.1;    // far from any driver's watchdog
constexpr double worth_finishing = 1.5;   // of what is left of a slice: a launch that ends within is not cut
constexpr double worth_beginning = 0.25;  // of a slice: with less than that left a launch is not cut any more

template <class Real4, class Real>
struct Upload {
  std::vector<Real4> positions, velocities;

  explicit Upload(const Bodies& bodies) {
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

}  // namespace

NbodySimulation::NbodySimulation(const Device& device, const Bodies& bodies, Precision precision, NbodyClock clock)
    : device_(device.info()), precision_(precision), count_(bodies.size()), clock_(clock) {
  const std::size_t bytes = count_ * bytes_of_real4(precision);
  for (cl::Buffer& buffer : positions_) buffer = device.buffer(bytes);
  velocities_ = device.buffer(bytes);
  accelerations_ = device.buffer(bytes);
  Queue queue(device);
  if (precision == Precision::double_)
    Upload<cl_double4, cl_double>(bodies).write(queue, positions_[0], velocities_);
  else
    Upload<cl_float4, cl_float>(bodies).write(queue, positions_[0], velocities_);
  queue.finish();
}

void NbodySimulation::use(NbodyKernels kernels) { kernels_ = std::move(kernels); }

void NbodySimulation::begin_burst(const Burst& burst) {
  burst_ = burst;
  const bool evaluate = field_softening_ != burst.softening;
  forces_planned_ = burst.steps + (evaluate ? 1 : 0);
  forces_done_ = 0;
  steps_left_ = std::max<std::int64_t>(burst.steps - 1, 0);
  first_ = 0;
  clock_.step += burst.steps;
  clock_.time += static_cast<double>(burst.steps) * burst.dt;
  if (evaluate)
    stage_ = Stage::evaluate;
  else
    advance_from(Stage::evaluate);
}

void NbodySimulation::advance_from(Stage stage) {
  switch (stage) {
    case Stage::evaluate:
      stage_ = burst_.steps > 0 ? Stage::open : Stage::done;
      break;
    case Stage::open:
    case Stage::step:
      stage_ = steps_left_ > 0 ? Stage::step : Stage::close;
      break;
    case Stage::close:
    case Stage::done:
      stage_ = Stage::done;
      break;
  }
}

bool NbodySimulation::enqueue_slice(Queue& queue, double budget) {
  for (double left = budget; stage_ != Stage::done && (left == budget || left > worth_beginning * budget);)
    left -= stage_ == Stage::open ? enqueue_open(queue) : enqueue_force(queue, left);
  return stage_ == Stage::done;
}

double NbodySimulation::enqueue_open(Queue& queue) {
  const cl::Buffer& from = positions_[present_];
  present_ = 1 - present_;
  set_arguments(kernels_->open, from, positions_[present_], velocities_, accelerations_, static_cast<cl_uint>(count_),
                Real{burst_.dt, precision_});
  queue.launch(nbody_launch::open, kernels_->open, elementwise(device_, count_), static_cast<double>(count_));
  field_softening_.reset();
  advance_from(Stage::open);
  return launch_seconds;
}

double NbodySimulation::enqueue_force(Queue& queue, double budget) {
  const double per_body = seconds_per_interaction(queue) * static_cast<double>(count_);
  const std::size_t end = std::min(count_, first_ + bodies_within(std::min(budget, longest_launch), per_body));
  const std::size_t bodies = end - first_;
  const auto paid = static_cast<double>(std::max(bodies, filling_bodies()));
  const cl::Kernel& kernel = force_kernel(static_cast<cl_uint>(first_), static_cast<cl_uint>(end));
  queue.launch(stage_ == Stage::step ? nbody_launch::step : nbody_launch::close, kernel,
               range_of(kernels_->variant, bodies), paid * static_cast<double>(count_));
  first_ = end;
  if (first_ == count_) force_complete();
  return std::max(launch_seconds, per_body * paid);
}

// A launch over fewer bodies than fill the device takes as long as one that does: each group walks all sources, and
// groups run side by side. Two groups hide each other's latency on a GPU's compute unit.
std::size_t NbodySimulation::filling_bodies() const {
  const std::size_t groups_per_unit = device_.device_class == DeviceClass::cpu ? 1 : 2;
  return groups_per_unit * std::max(1U, device_.compute_units) * kernels_->variant.bodies_per_group();
}

// As many fillings of the device as fit: one at least.
std::size_t NbodySimulation::bodies_within(double budget, double seconds_per_body) const {
  const std::size_t filling = filling_bodies();
  const std::size_t left = count_ - first_;
  const double fitting = std::max(budget / seconds_per_body, static_cast<double>(filling));
  if (static_cast<double>(left) <= worth_finishing * fitting) return left;
  return static_cast<std::size_t>(fitting) / filling * filling;
}

cl::Kernel& NbodySimulation::force_kernel(cl_uint first, cl_uint end) {
  const auto bodies = static_cast<cl_uint>(count_);
  const Real softening2{burst_.softening * burst_.softening, precision_};
  const cl::Buffer& positions = positions_[present_];
  if (stage_ == Stage::step) {
    set_arguments(kernels_->step, positions, positions_[1 - present_], velocities_, bodies, first, end,
                  Real{burst_.dt, precision_}, softening2);
    return kernels_->step;
  }
  const double dt = stage_ == Stage::close ? burst_.dt : 0;
  set_arguments(kernels_->close, positions, velocities_, accelerations_, bodies, first, end, Real{dt, precision_},
                softening2);
  return kernels_->close;
}

void NbodySimulation::force_complete() {
  first_ = 0;
  ++forces_done_;
  if (stage_ == Stage::step) {
    present_ = 1 - present_;
    --steps_left_;
  } else {
    field_softening_ = burst_.softening;
  }
  advance_from(stage_);
}

double NbodySimulation::seconds_per_interaction(Queue& queue) const {
  const Profiler& profiler = queue.profiler();
  const std::string_view name = stage_ == Stage::step ? nbody_launch::step : nbody_launch::close;
  const std::string_view other = stage_ == Stage::step ? nbody_launch::close : nbody_launch::step;
  if (const auto known = profiler.seconds_per_work(name)) return *known;
  return profiler.seconds_per_work(other).value_or(guessed_seconds_per_interaction(device_));
}

double NbodySimulation::burst_progress() const {
  if (stage_ == Stage::done || forces_planned_ == 0) return 1;
  const double part = static_cast<double>(first_) / static_cast<double>(count_);
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
  queue.read(simulation.buffers().positions, positions_.data(), positions_.size());
  last_ = queue.read(simulation.buffers().velocities, velocities_.data(), velocities_.size());
}

Bodies NbodyDownload::bodies() const {
  if (precision_ == Precision::double_)
    return bodies_from(positions_.as<cl_double4>(count_), velocities_.as<cl_double4>(count_));
  return bodies_from(positions_.as<cl_float4>(count_), velocities_.as<cl_float4>(count_));
}

}  // namespace orrery
