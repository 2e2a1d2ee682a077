#include "scenes/nbody/checks/accuracy_survey.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "base/clock.hpp"
#include "scenes/nbody/tuning/device_group.hpp"
#include "scenes/nbody/tuning/tree_calibration.hpp"

namespace orrery {
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
