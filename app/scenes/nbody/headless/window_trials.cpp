/// `orrery bench window` with bodies.
#include <algorithm>

#include "cli/options.hpp"
#include "scenes/nbody/bodies/body.hpp"
#include "scenes/nbody/headless/commands.hpp"
#include "scenes/nbody/model/kernels.hpp"

namespace orrery::cli {
namespace {

std::string standard_bodies(const DeviceInfo& device) {
  return device.device_class == DeviceClass::cpu ? "2048,8192,16384" : "65536,262144,1048576";
}

// Sixteen steps for a number of bodies that costs the device little; fewer steps for more bodies, so that pictures keep
// coming.
std::int64_t suitable_burst(std::int64_t bodies, const DeviceInfo& device) {
  const std::int64_t in_passing = device.device_class == DeviceClass::cpu ? 2048 : 65536;
  return std::clamp<std::int64_t>(16 * in_passing / bodies, 1, 16);
}

std::vector<WindowTrial> body_trials(const std::string& list, std::int64_t burst, const DeviceInfo& device) {
  std::vector<WindowTrial> trials;
  for (const std::int64_t bodies : whole_numbers("--bodies", list, 1, most_in_a_set)) {
    const std::int64_t steps = burst > 0 ? burst : suitable_burst(bodies, device);
    WindowTrial& trial = trials.emplace_back();
    // The sum over all pairs, whose work is counted in interactions.
    const std::string forces(name_of(exact_forces(device, Precision::single, static_cast<std::size_t>(bodies))));
    trial.parameters = {{"bodies", bodies}, {"burst", steps}};
    trial.problem = {"--bodies", std::to_string(bodies), "--burst", std::to_string(steps), "--forces", forces};
    trial.idle = trial.problem;
  }
  return trials;
}

double interactions_per_second(const nlohmann::json& own) { return own.value("interactions_per_second", 0.0); }
double seconds_per_step(const nlohmann::json& own) { return 1 / own.value("steps_per_second", 0.0); }

std::vector<std::string> headless_steps(const WindowTrial& trial, const nlohmann::json& own, double seconds,
                                        const std::string&) {
  return steps_option(trial, seconds_per_step(own), seconds);
}

}  // namespace

const WindowBench& nbody_window_bench() {
  static const WindowBench bench{.option = "bodies",
                                 .placeholder = "N,N",
                                 .help = "numbers of bodies, separated by commas",
                                 .standard = standard_bodies,
                                 .trials = body_trials,
                                 .idle_state = "[nbody]\npaused = true\n",
                                 .rate = interactions_per_second,
                                 .unit = "interactions/s",
                                 .step_seconds = seconds_per_step,
                                 .headless = headless_steps};
  return bench;
}

}  // namespace orrery::cli
