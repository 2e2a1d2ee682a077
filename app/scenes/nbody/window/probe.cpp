#include "scenes/nbody/window/probe.hpp"

#include "scene/history.hpp"

namespace orrery {
namespace {

constexpr double most_share = 0.1;  // of the device's time

}  // namespace

void NbodyProbe::begin(NbodyTruth& truth, Queue& queue, const NbodySimulation& simulation, double softening,
                       double seconds, double budget) {
  if (under_way() || seconds - began_ < truth.seconds(queue).value_or(0) / most_share) return;
  sample_ = Sample::under_way;
  began_ = seconds;
  truth.begin(draw_++, softening);
  truth.enqueue_slice(queue, simulation, budget);
}

bool NbodyProbe::go_on(NbodyTruth& truth, Queue& queue, const NbodySimulation& simulation, double budget) {
  return !under_way() || truth.enqueue_slice(queue, simulation, budget);
}

void NbodyProbe::collect(const NbodyTruth& truth, SampledErrors& errors) {
  if (!under_way() || !truth.enqueued() || !truth.arrived()) return;
  forget();
  const AccelerationError error = truth.error();
  errors.spread = error.spread;
  AccelerationErrors& history = errors.history;
  if (!history.time.empty() && history.time.back() == error.clock.time) return;
  make_room({&history.time, &history.median, &history.p99});
  history.time.push_back(error.clock.time);
  history.median.push_back(error.median);
  history.p99.push_back(error.p99);
}

}  // namespace orrery
