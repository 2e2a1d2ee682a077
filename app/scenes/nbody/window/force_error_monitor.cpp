#include "scenes/nbody/window/force_error_monitor.hpp"

#include <algorithm>

#include "base/statistics.hpp"
#include "scene/history.hpp"

namespace orrery {
namespace {

constexpr double most_share = 0.02;  // of the device's time

constexpr std::size_t most_recent = 4096;  // bodies: a thousandth of them are four

ErrorPercentiles percentiles_of(std::vector<double> errors) {
  std::ranges::sort(errors);
  const auto below = [&](double part) { return quantile_of_sorted(errors, part); };
  return {below(0.5), below(0.9), below(0.99), below(0.999), below(1)};
}

}  // namespace

void ForceErrorMonitor::begin(ForceErrorSample& sample, Queue& queue, const NbodySimulation& simulation,
                              double softening, double seconds, double budget) {
  if (under_way() || seconds - began_ < sample.seconds(queue).value_or(0) / most_share) return;
  sample_ = Sample::under_way;
  began_ = seconds;
  sample.begin(draw_++, softening);
  sample.enqueue_slice(queue, simulation, budget);
}

bool ForceErrorMonitor::go_on(ForceErrorSample& sample, Queue& queue, const NbodySimulation& simulation,
                              double budget) {
  return !under_way() || sample.enqueue_slice(queue, simulation, budget);
}

void ForceErrorMonitor::collect(const ForceErrorSample& sample, SampledErrors& errors) {
  if (!under_way() || !sample.enqueued() || !sample.arrived()) return;
  forget();
  const AccelerationError error = sample.error();
  errors.spread = error.spread;
  std::vector<double>& recent = errors.recent;
  recent.insert(recent.end(), error.all.begin(), error.all.end());
  if (recent.size() > most_recent)
    recent.erase(recent.begin(), recent.end() - static_cast<std::ptrdiff_t>(most_recent));
  errors.percentiles = percentiles_of(recent);
  AccelerationErrors& history = errors.history;
  if (!history.time.empty() && history.time.back() == error.clock.time) return;
  make_room({&history.time, &history.median, &history.p99});
  history.time.push_back(error.clock.time);
  history.median.push_back(error.median);
  history.p99.push_back(error.p99);
}

}  // namespace orrery
