#include "scenes/nbody/headless/contender.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/statistics.hpp"
#include "base/text.hpp"
#include "scenes/nbody/checks/field_check.hpp"
#include "scenes/nbody/model/force_error_sample.hpp"

namespace orrery::cli {
namespace {

class SimulationContender : public NbodyContender {
 public:
  SimulationContender(std::span<ProgramLibrary* const> programs, Exchange exchange, const BenchStart& start,
                      const NbodySettings& settings)
      : device_(programs.front()->device()),
        devices_(programs.size()),
        exchange_(exchange),
        queue_(device_),
        start_(start),
        settings_(settings),
        simulation_(nbody_simulation(programs, settings, start.bodies, {}, {exchange})) {}

  std::string name() const override { return "nbody"; }
  Precision precision() const override { return simulation_.precision(); }

  nlohmann::ordered_json parameters() const override {
    const NbodyVariant& variant = simulation_.kernels().variant;
    nlohmann::ordered_json parameters = {{"integrator", settings_.integrator},
                                         {"forces", name_of(variant.forces)},
                                         {"work_group", variant.work_group},
                                         {"lanes", variant.lanes}};
    if (variant.forces == Forces::tree) {
      const bool by_angle = settings_.opening_angle > 0;
      parameters["order"] = settings_.order;
      parameters[by_angle ? "opening_angle" : "force_error"] =
          by_angle ? settings_.opening_angle : settings_.force_error;
    }
    if (variant.tile > 0) parameters["tile"] = variant.tile;
    if (devices_ > 1) {
      parameters["devices"] = devices_;
      parameters["exchange"] = exchange_ == Exchange::direct ? "direct" : "host";
    }
    return parameters;
  }

  // Nothing is published: the potential is not needed.
  void step(std::int64_t steps) override {
    run_burst(simulation_, queue_, {steps, start_.dt, start_.softening, false});
  }

  std::int64_t evaluations() const override { return simulation_.kernels().variant.integrator->evaluations(); }

  std::size_t devices() const override { return devices_; }

  Bodies bodies() override { return bodies_of(device_, queue_, simulation_); }

  std::vector<Acceleration> accelerations() override {
    step(0);
    return accelerations_of(queue_, simulation_);
  }

 private:
  const Device& device_;
  std::size_t devices_;
  Exchange exchange_;
  Queue queue_;
  const BenchStart& start_;
  NbodySettings settings_;
  NbodySimulation simulation_;
};

}  // namespace

std::unique_ptr<NbodyContender> simulation_contender(std::span<ProgramLibrary* const> devices, Exchange exchange,
                                                     const BenchStart& start, const NbodySettings& settings) {
  return std::make_unique<SimulationContender>(devices, exchange, start, settings);
}

// ---- checks

namespace {

constexpr std::uint32_t checked_bodies = 32;

long double length(const std::array<long double, 3>& v) { return std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

long double distance(std::array<long double, 3> expected, const Acceleration& found) {
  for (std::size_t axis = 0; axis < 3; ++axis) expected[axis] -= found[axis];
  return length(expected);
}

}  // namespace

AccelerationCheck check_accelerations(const std::string& what, const Bodies& bodies,
                                      const std::vector<Acceleration>& accelerations, Precision precision,
                                      double softening, std::uint64_t draw) {
  AccelerationCheck worst;
  const auto count = static_cast<std::uint32_t>(std::min<std::size_t>(bodies.size(), checked_bodies));
  for (std::uint32_t k = 0; k < count; ++k) {
    const std::uint32_t i = drawn_body(draw, k, bodies.size());
    const ExpectedAcceleration expected = expected_acceleration(bodies, i, precision, softening);
    const long double error = distance(expected.value, accelerations[i]), size = length(expected.value),
                      tolerance = expected.tolerance;
    const auto relative = [&](long double value) { return static_cast<double>(size > 0 ? value / size : value); };
    if (!(error <= tolerance))
      throw failure(what + " is wrong: the acceleration of body " + std::to_string(i) + " has a relative error of " +
                    brief(relative(error)) + ", but rounding explains at most " + brief(relative(tolerance)));
    if (relative(error) >= worst.error) worst = {relative(error), relative(tolerance)};
  }
  return worst;
}

AccelerationCheck check_tree(const std::string& what, const Bodies& bodies,
                             const std::vector<Acceleration>& accelerations, double promised, double softening,
                             std::uint64_t draw) {
  std::vector<double> errors;
  const auto count = static_cast<std::uint32_t>(std::min<std::size_t>(bodies.size(), drawn_bodies));
  for (std::uint32_t k = 0; k < count; ++k) {
    const std::uint32_t i = drawn_body(draw, k, bodies.size());
    const std::array<long double, 3> expected = expected_acceleration(bodies, i, Precision::single, softening).value;
    const long double size = std::max(length(expected), 1e-300L);
    errors.push_back(static_cast<double>(distance(expected, accelerations[i]) / size));
  }
  const double found = quantile(errors, 0.99);
  if (breaks_promise(found, promised))
    throw failure(what + " is wrong: 1 of 100 accelerations has an error above " + brief(found) + ", and " +
                  brief(promised) + " was requested");
  return {found, promised, median(errors), quantile(errors, 0.9), quantile(errors, 1)};
}

}  // namespace orrery::cli
