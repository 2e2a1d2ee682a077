#include "scenes/nbody/window/probe.hpp"

#include "scene/history.hpp"

namespace orrery {
namespace {

constexpr double most_share = 0.1;  // of the device's time

}  // namespace

void NbodyProbe::begin(NbodyTruth& truth, Queue& queue, const NbodySimulation& simulation, double softening,
                       double seconds, double budget) {
  if (under_way_ || seconds - began_ < truth.seconds(queue).value_or(0) / most_share) return;
  under_way_ = true;
  began_ = seconds;
  truth.begin(draw_++, softening);
  truth.enqueue_slice(queue, simulation, budget);
}

bool NbodyProbe::go_on(NbodyTruth& truth, Queue& queue, const NbodySimulation& simulation, double budget) {
  return !under_way_ || truth.enqueue_slice(queue, simulation, budget);
}

void NbodyProbe::collect(const NbodyTruth& truth) {
  if (!under_way_ || !truth.enqueued() || !truth.arrived()) return;
  under_way_ = false;
  const AccelerationError error = truth.error();
  spread_ = error.spread;
  if (!history_.time.empty() && history_.time.back() == error.clock.time) return;
  make_room({&history_.time, &history_.median, &history_.p99});
  history_.time.push_back(error.clock.time);
  history_.median.push_back(error.median);
  history_.p99.push_back(error.p99);
}

}  // namespace orrery
