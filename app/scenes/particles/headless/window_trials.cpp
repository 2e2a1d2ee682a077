/// `orrery bench window` with particles.
#include "scenes/particles/files/world_file.hpp"
#include "scenes/particles/headless/commands.hpp"

namespace orrery::cli {
namespace {

std::string standard_worlds(const DeviceInfo& device) {
  return device.device_class == DeviceClass::cpu ? "argon" : "argon,gas";
}

std::vector<WindowTrial> world_trials(const std::string& list, std::int64_t burst, const DeviceInfo&) {
  constexpr std::int64_t suitable = 16;
  std::vector<WindowTrial> trials;
  for (const std::string& world : comma_separated(list)) {
    (void)particles::find_world(world);
    const std::int64_t steps = burst > 0 ? burst : suitable;
    WindowTrial& trial = trials.emplace_back();
    trial.parameters = {{"world", world}, {"burst", steps}};
    trial.problem = {"--burst", std::to_string(steps)};
    trial.window = {"--world", world};
    trial.idle = {"--world", world};
  }
  return trials;
}

double particle_steps_per_second(const nlohmann::json& own) {
  return own.value("particles", 0.0) * own.value("steps_per_second", 0.0);
}
double seconds_per_step(const nlohmann::json& own) { return 1 / own.value("steps_per_second", 0.0); }

std::vector<std::string> headless_steps(const WindowTrial& trial, const nlohmann::json& own, double seconds,
                                        const std::string&) {
  std::vector<std::string> arguments = steps_option(trial, seconds_per_step(own), seconds);
  arguments.insert(arguments.begin(), trial.parameters.at("world").get<std::string>());
  return arguments;
}

}  // namespace

const WindowBench& particles_window_bench() {
  static const WindowBench bench{.option = "worlds",
                                 .placeholder = "NAME,NAME",
                                 .help = "worlds of particles, separated by commas",
                                 .standard = standard_worlds,
                                 .trials = world_trials,
                                 .idle_state = "[particles]\npaused = true\n",
                                 .rate = particle_steps_per_second,
                                 .unit = "particle-steps/s",
                                 .step_seconds = seconds_per_step,
                                 .headless = headless_steps};
  return bench;
}

}  // namespace orrery::cli
