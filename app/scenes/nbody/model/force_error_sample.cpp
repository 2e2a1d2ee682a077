#include "scenes/nbody/model/force_error_sample.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/statistics.hpp"

namespace orrery {

ForceErrorSample::ForceErrorSample(ProgramLibrary& programs, Precision precision, std::size_t bodies)
    : ForceErrorSample(programs, precision, bodies, programs.device().info().fp64 ? Sums::doubles : Sums::two_floats) {}

ForceErrorSample::ForceErrorSample(ProgramLibrary& programs, Precision precision, std::size_t bodies, Sums kind)
    : ForceErrorSample(programs, Queue(programs.device()), precision, bodies, kind) {}

ForceErrorSample::ForceErrorSample(ProgramLibrary& programs, Queue queue, Precision precision, std::size_t bodies,
                                   Sums kind)
    : kernels_(programs, precision, bodies, kind),
      bodies_(bodies),
      count_(std::min<std::size_t>(bodies, drawn_bodies)),
      padded_(round_up(count_, kernels_.lanes())),
      done_(kernels_.shares()),
      drawn_(programs.device().buffer(padded_ * sizeof(cl_uint))),
      sums_(programs.device().buffer(kernels_.sum_bytes(padded_))),
      references_(programs.device().buffer(padded_ * bytes_of_sum4)),
      drawn_mirror_(programs.device(), queue, padded_ * sizeof(cl_uint)),
      mirror_(programs.device(), queue, padded_ * bytes_of_sum4) {}

void ForceErrorSample::begin(std::uint64_t draw, const NbodyPull& pull) {
  pull_ = pull;
  done_ = 0;
  auto* drawn = static_cast<std::uint32_t*>(drawn_mirror_.data());
  for (std::uint32_t k = 0; k < padded_; ++k) drawn[k] = k < count_ ? drawn_body(draw, k, bodies_) : 0;
}

bool ForceErrorSample::enqueue_slice(Queue& queue, const NbodySimulation& simulation, double budget) {
  if (enqueued()) return true;
  const auto [positions, velocities, accelerations] = simulation.buffers();
  if (done_ == 0) queue.write(drawn_, drawn_mirror_.data_for(queue), drawn_mirror_.size());
  const std::size_t count = kernels_.shares_at_once(queue, padded_, kernels_.shares() - done_, budget);
  kernels_.attract(queue, positions, simulation.corrections().positions, {drawn_, 0, padded_, done_, count},
                   pull_.softening, sums_);
  done_ += count;
  if (!enqueued()) return false;
  kernels_.compare(queue, sums_, accelerations, {drawn_, 0, padded_}, pull_.gravity, references_);
  read_ = queue.read(references_, mirror_.data_for(queue), mirror_.size());
  clock_ = simulation.clock();
  return true;
}

std::vector<DrawnBody> ForceErrorSample::drawn() const {
  const auto number = [&](std::size_t k) {
    if (kernels_.kind() == Sums::doubles) return mirror_.as<double>(k + 1)[k];
    const auto parts = mirror_.as<float>(2 * k + 2);
    return static_cast<double>(parts[2 * k]) + static_cast<double>(parts[2 * k + 1]);
  };
  std::vector<DrawnBody> drawn(count_);
  for (std::size_t k = 0; k < count_; ++k)
    drawn[k] = {drawn_mirror_.as<std::uint32_t>(count_)[k],
                {number(4 * k), number(4 * k + 1), number(4 * k + 2)},
                number(4 * k + 3)};
  return drawn;
}

AccelerationError ForceErrorSample::error() const {
  std::vector<double> errors;
  for (const DrawnBody& body : drawn())
    errors.push_back(std::isfinite(body.error) ? body.error : std::numeric_limits<double>::infinity());
  return {clock_, median(errors), quantile(errors, 0.99), log_spread(errors), errors};
}

std::optional<double> ForceErrorSample::seconds(Queue& queue) const {
  if (!queue.profiler().seconds_per_work(force_error_launch)) return {};
  return kernels_.seconds_per_share(queue, padded_) * static_cast<double>(kernels_.shares());
}

}  // namespace orrery
