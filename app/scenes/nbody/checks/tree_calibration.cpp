#include "scenes/nbody/checks/tree_calibration.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/statistics.hpp"

namespace orrery {
namespace {

constexpr std::uint64_t draws_to_calibrate = 4;
constexpr int enough_trials = 5, most_trials = 12;  // the latter until one keeps the error
constexpr double least_aim = 0.6, aim = 0.85;       // of the error that is allowed: more would waste time
// Measured on cubes and Plummer spheres of 65,536 … 8,388,608 bodies: the error of 99 of 100 is about
// common_error · (error / common_error_at)^slope.
constexpr double common_error_at = 1e-3, common_error = 4.5e-3, slope = 2.0 / 3;
constexpr double least_error = 1e-9, most_error = 0.1;

double first_guess(double wanted) { return common_error_at * std::pow(aim * wanted / common_error, 1 / slope); }

// The error that 99 of 100 drawn bodies keep.
double common_error_of(ForceErrorSample& sample, Queue& queue, const NbodySimulation& simulation, double softening) {
  std::vector<double> errors;
  for (std::uint64_t draw = 0; draw < draws_to_calibrate; ++draw) {
    sample.begin(draw, softening);
    while (!sample.enqueue_slice(queue, simulation, 0.25)) queue.finish();
    queue.finish();
    for (const DrawnBody& body : sample.drawn())
      errors.push_back(std::isfinite(body.error) ? body.error : std::numeric_limits<double>::infinity());
  }
  return quantile(errors, 0.99);
}

}  // namespace

void calibrate_tree(ProgramLibrary& programs, NbodySimulation& simulation, const NbodySettings& settings) {
  if (simulation.kernels().variant.forces != Forces::tree || settings.opening_angle > 0) return;
  Queue queue(programs.device());
  ForceErrorSample sample(programs, simulation.precision(), simulation.bodies());
  TreeAccuracy accuracy = simulation.kernels().accuracy;
  const auto evaluate = [&](double error) {
    accuracy.error = error;
    simulation.set_accuracy(accuracy);
    run_burst(simulation, queue, {0, 0, settings.softening, false});
  };
  double next = first_guess(settings.force_error), kept = 0, exceeded = std::numeric_limits<double>::infinity();
  double kept_part = 0;
  for (int trial = 0; trial < (kept > 0 ? enough_trials : most_trials); ++trial) {
    evaluate(next);
    const double part = common_error_of(sample, queue, simulation, settings.softening) / settings.force_error;
    if (!std::isfinite(part) || part <= 0) return;
    // Where a larger one changes little, the potential's error decides.
    const bool decides = kept == 0 || part > 1.2 * kept_part;
    (part <= 1 ? kept : exceeded) = next;
    if (part <= 1 && (part >= least_aim || next >= most_error || !decides)) return;
    if (part <= 1) kept_part = part;
    next = std::clamp(next * std::pow(aim / part, 1 / slope), least_error, most_error);
    // The error of few bodies, or on a line, follows no power.
    if (next <= kept || next >= exceeded) next = std::sqrt(std::max(kept, least_error) * exceeded);
    if (next == accuracy.error) break;
  }
  if (kept > 0) next = kept;
  if (accuracy.error != next) evaluate(next);
}

}  // namespace orrery
