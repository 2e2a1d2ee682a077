/// `orrery bench window` with pictures of the Mandelbrot set at rest.
#include <algorithm>
#include <cmath>

#include "scenes/mandelbrot/headless/commands.hpp"
#include "scenes/mandelbrot/numbers/place.hpp"

namespace orrery::cli {
namespace {

constexpr int most_samples = 64;

// Its points take so many steps to escape that the samples of one picture keep the device busy for seconds.
std::string standard_places(const DeviceInfo&) { return "satellite-valley"; }
std::int64_t limit_on(const DeviceInfo& device) { return device.device_class == DeviceClass::cpu ? 20'000 : 2'000'000; }

std::vector<WindowTrial> place_trials(const std::string& list, std::int64_t, const DeviceInfo& device) {
  std::vector<WindowTrial> trials;
  for (const std::string& place : comma_separated(list)) {
    (void)mandelbrot::find_location(place);
    WindowTrial& trial = trials.emplace_back();
    trial.parameters = {{"center", place}, {"iterations", limit_on(device)}};
    trial.problem = {"--center", place, "--iterations", std::to_string(limit_on(device))};
    trial.window = {"--samples", std::to_string(most_samples)};
    trial.idle = {"--samples", "1"};
  }
  return trials;
}

double iterations_per_second(const nlohmann::json& own) { return own.value("iterations_per_second", 0.0); }

// Seconds for one sample of all pixels.
double seconds_per_sample(const nlohmann::json& own) {
  return own.value("computing_seconds", 0.0) / std::max(1.0, own.value("samples", 0.0));
}

// A picture file is computed as in the window; without a file, its values would be data, in more digits. The size is
// the same: a device is more efficient with more pixels.
std::vector<std::string> headless_samples(const WindowTrial&, const nlohmann::json& own, double seconds,
                                          const std::string& picture) {
  const double samples = std::clamp(std::ceil(seconds / seconds_per_sample(own)), 1.0, 1.0 * most_samples);
  const std::string width = std::to_string(own.at("size").at(0).get<int>());
  const std::string height = std::to_string(own.at("size").at(1).get<int>());
  return {
      "--samples", std::to_string(static_cast<int>(samples)), "--size", width + "x" + height, "--prove", "0", "--out",
      picture};
}

}  // namespace

const WindowBench& mandelbrot_window_bench() {
  static const WindowBench bench{.option = "places",
                                 .placeholder = "NAME,NAME",
                                 .help = "places of the Mandelbrot set, separated by commas",
                                 .standard = standard_places,
                                 .trials = place_trials,
                                 .idle_state = {},
                                 .rate = iterations_per_second,
                                 .unit = "iterations/s",
                                 .step_seconds = seconds_per_sample,
                                 .headless = headless_samples};
  return bench;
}

}  // namespace orrery::cli
