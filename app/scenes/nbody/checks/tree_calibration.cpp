#include "scenes/nbody/checks/tree_calibration.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/statistics.hpp"

namespace orrery {
namespace {

constexpr int most_trials = 5;
// Of the sets that tree_error was measured on: the error of 99 of 100 bodies at this accuracy.
constexpr double common_error_at = 1e-3, common_error = 4.5e-3;

double first_guess(double wanted) {
  return common_error_at * std::pow(tree_error::aim * wanted / common_error, 1 / tree_error::slope);
}

std::vector<double> errors_of(ForceErrorSample& sample, Queue& queue, const NbodySimulation& simulation,
                              double softening) {
  std::vector<double> errors;
  for (std::uint64_t draw = 0; draw < TreeControl::remembered_draws; ++draw) {
    sample.begin(draw, softening);
    while (!sample.enqueue_slice(queue, simulation, 0.25)) queue.finish();
    queue.finish();
    for (const DrawnBody& body : sample.drawn())
      errors.push_back(std::isfinite(body.error) ? body.error : std::numeric_limits<double>::infinity());
  }
  return errors;
}

}  // namespace

void calibrate_tree(ProgramLibrary& programs, NbodySimulation& simulation, const NbodySettings& settings) {
  if (simulation.kernels().variant.forces != Forces::tree) return;
  TreeAccuracy accuracy = tree_accuracy(settings);
  simulation.set_accuracy(accuracy);
  if (settings.opening_angle > 0) return;
  const double wanted = settings.force_error;
  Queue queue(programs.device());
  ForceErrorSample sample(programs, simulation.precision(), simulation.bodies());
  std::vector<double> errors;
  double next = first_guess(wanted);
  for (int trial = 0; trial < most_trials; ++trial) {
    accuracy.error = next;
    simulation.set_accuracy(accuracy);
    run_burst(simulation, queue, {0, 0, settings.softening, false});
    errors = errors_of(sample, queue, simulation, settings.softening);
    const double found = quantile(errors, 0.99), part = found / wanted;
    const bool spared = part < tree_error::least_aim && accuracy.error < tree_error::most_accuracy;
    if (!std::isfinite(found) || found <= 0 || (part <= 1 && !spared)) break;
    next = std::clamp(accuracy.error * std::pow(tree_error::aim / part, 1 / tree_error::slope),
                      tree_error::least_accuracy, tree_error::most_accuracy);
  }
  simulation.set_accuracy(accuracy, wanted, errors);
}

}  // namespace orrery
