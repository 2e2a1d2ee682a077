#include "scenes/nbody/tuning/tree_calibration.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/clock.hpp"
#include "base/statistics.hpp"
#include "scenes/nbody/tuning/device_group.hpp"

namespace orrery {
namespace {

constexpr int enough_trials = 5, most_trials = 12;  // the latter if none keeps the error before
// In the measurements for tree_error, 99 of 100 bodies kept this error at this accuracy.
constexpr double common_error_at = 1e-3, common_error = 4.5e-3;

double first_guess(double wanted) {
  return common_error_at * std::pow(tree_error::aim * wanted / common_error, 1 / tree_error::slope);
}

std::vector<double> errors_of(ForceErrorSample& sample, Queue& queue, const NbodySimulation& simulation,
                              double softening) {
  std::vector<double> errors;
  for (std::uint64_t draw = 0; draw < TreeControl::remembered_draws; ++draw) {
    sample.begin(draw, {softening});
    while (!sample.enqueue_slice(queue, simulation, 0.25)) queue.finish();
    queue.finish();
    for (const DrawnBody& body : sample.drawn())
      errors.push_back(std::isfinite(body.error) ? body.error : std::numeric_limits<double>::infinity());
  }
  return errors;
}

}  // namespace

TreeAccuracy calibrate_tree(ProgramLibrary& programs, NbodySimulation& simulation, const NbodySettings& settings) {
  if (simulation.kernels().variant.forces != Forces::tree) return {};
  TreeAccuracy accuracy = tree_accuracy(settings);
  simulation.set_accuracy(accuracy);
  if (settings.opening_angle > 0) return accuracy;
  const double wanted = settings.force_error;
  Queue queue(programs.device());
  ForceErrorSample sample(programs, simulation.precision(), simulation.bodies());
  std::vector<double> errors;
  const auto part_at = [&](double error) {
    accuracy.error = error;
    simulation.set_accuracy(accuracy);
    run_burst(simulation, queue, {0, 0, settings.softening, false});
    errors = errors_of(sample, queue, simulation, settings.softening);
    return quantile(errors, 0.99) / wanted;
  };
  const double most = tree_error::most_accuracy(wanted);
  double next = first_guess(wanted), kept = 0, exceeded = std::numeric_limits<double>::infinity();
  for (int trial = 0; trial < (kept > 0 ? enough_trials : most_trials); ++trial) {
    const double part = part_at(next);
    if (!std::isfinite(part) || part <= 0) {
      kept = next;
      break;
    }
    (part <= 1 ? kept : exceeded) = next;
    if (part <= 1 && (part >= tree_error::least_aim || next >= most)) break;
    next = std::clamp(next * std::pow(tree_error::aim / part, 1 / tree_error::slope), tree_error::least_accuracy, most);
    // The error of few bodies, or on a line, follows no power.
    if (next <= kept || next >= exceeded) next = std::sqrt(std::max(kept, tree_error::least_accuracy) * exceeded);
    if (next == accuracy.error) break;
  }
  if (kept > 0) next = kept;
  if (accuracy.error != next) part_at(next);
  simulation.set_accuracy(accuracy, wanted, errors);
  return accuracy;
}

// ---- the cost of accuracy

namespace {

constexpr std::array asked_errors{1e-2, 3e-3, 1e-3, 3e-4, 1e-4, 3e-5};
constexpr int timed_steps = 3;  // the fastest counts: other work on the machine makes steps longer

double milliseconds_of_step(NbodySimulation& simulation, Queue& queue, double softening) {
  double least = std::numeric_limits<double>::infinity();
  for (int step = 0; step <= timed_steps; ++step) {
    const double began = now_seconds();
    run_burst(simulation, queue, {1, 0, softening, false});
    if (step > 0) least = std::min(least, 1e3 * (now_seconds() - began));  // the first may be cut into more launches
  }
  return least;
}

}  // namespace

SurveyedCosts survey_accuracy(ProgramLibrary& programs, const NbodySettings& settings, const Bodies& bodies,
                              const std::function<void(double)>& between) {
  SurveyedCosts costs;
  costs.errors.assign(asked_errors.begin(), asked_errors.end());
  const double all = 1 + 2 * static_cast<double>(asked_errors.size());
  double done = 0;
  ProgramLibrary* const one = &programs;
  Queue queue(programs.device());
  NbodySettings asked = settings;
  asked.work_group = 0;
  asked.variant = "auto";
  asked.forces = "tree";
  asked.opening_angle = 0;
  asked.time_steps = NbodySettings().time_steps;
  asked.force_error = asked_errors.front();
  for (const bool quadrupole : {true, false}) {
    asked.order = quadrupole ? "quadrupole" : "monopole";
    NbodySimulation simulation = nbody_simulation({&one, 1}, asked, bodies);
    for (const double error : asked_errors) {
      asked.force_error = error;
      calibrate_tree(programs, simulation, asked);
      (quadrupole ? costs.quadrupole : costs.monopole)
          .push_back(milliseconds_of_step(simulation, queue, asked.softening));
      between(++done / all);
    }
  }
  const DeviceInfo& device = programs.device().info();
  asked.forces = name_of(exact_forces(device, precision_of(asked, device), bodies.size()));
  NbodyKernels kernels = std::move(nbody_kernels({&one, 1}, asked, bodies.size()).front());
  const auto n = static_cast<double>(bodies.size());
  costs.all_pairs.assign(costs.errors.size(), 1e3 * n * n / measured_speed(programs.device(), kernels));
  between(1);
  return costs;
}

}  // namespace orrery
