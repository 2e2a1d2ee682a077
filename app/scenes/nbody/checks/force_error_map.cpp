#include "scenes/nbody/checks/force_error_map.hpp"

#include <algorithm>
#include <numeric>

#include "scenes/nbody/model/force.hpp"

namespace orrery {
namespace {

// This number, times the shares of the sources, fills the device.
std::size_t batch_for(const DeviceInfo& device, std::size_t padded) {
  return std::min<std::size_t>(device.device_class == DeviceClass::cpu ? 256 : 2048, padded);
}

}  // namespace

ForceErrorMap::ForceErrorMap(ProgramLibrary& programs, Precision precision, std::size_t bodies)
    : device_(programs.device()),
      precision_(precision),
      bodies_(bodies),
      kernels_(programs, precision, bodies, sums_on(device_.info())),
      next_(bodies) {
  padded_ = round_up(bodies, kernels_.lanes());
  batch_ = batch_for(device_.info(), padded_);
}

void ForceErrorMap::allocate(Queue& queue) {
  std::vector<cl_uint> order(padded_);
  std::iota(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(bodies_), 0U);
  order_ = device_.read_only(std::span<const cl_uint>(order));
  sums_ = device_.buffer(kernels_.sum_bytes(batch_));
  const std::size_t bytes = bodies_ * bytes_of_real4(precision_);
  positions_ = device_.buffer(bytes);
  accelerations_ = device_.buffer(bytes);
  if (precision_ == Precision::mixed) corrections_ = device_.buffer(bytes);
  errors_ = device_.buffer(bodies_ * sizeof(cl_float));
  queue.copy(device_.read_only(std::span<const cl_float>(std::vector<cl_float>(bodies_))), errors_,
             bodies_ * sizeof(cl_float));
}

void ForceErrorMap::begin(Queue& queue, const NbodySimulation& simulation, const NbodyPull& pull) {
  if (errors_() == nullptr) allocate(queue);
  const std::size_t bytes = bodies_ * bytes_of_real4(precision_);
  queue.copy(simulation.buffers().positions, positions_, bytes);
  queue.copy(simulation.buffers().accelerations, accelerations_, bytes);
  if (corrections_() != nullptr) queue.copy(simulation.corrections().positions, corrections_, bytes);
  pull_ = pull;
  next_ = shares_done_ = 0;
}

double ForceErrorMap::enqueue_slice(Queue& queue, double budget) {
  double spent = 0;
  while (under_way() && (spent == 0 || spent < budget)) {
    const std::size_t end = std::min(next_ + batch_, padded_), count = end - next_;
    const double per_share = kernels_.seconds_per_share(queue, count);
    const std::size_t shares = kernels_.shares_at_once(queue, count, kernels_.shares() - shares_done_, budget - spent);
    kernels_.attract(queue, positions_, corrections_, {order_, next_, end, shares_done_, shares}, pull_.softening,
                     sums_);
    spent += std::max(launch_seconds, per_share * static_cast<double>(shares));
    shares_done_ += shares;
    if (shares_done_ < kernels_.shares()) continue;
    kernels_.note(queue, sums_, accelerations_, {next_, count, pull_.gravity}, errors_);
    shares_done_ = 0;
    next_ = std::min(end, bodies_);
  }
  return spent;
}

}  // namespace orrery
