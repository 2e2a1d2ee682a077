#include "shell/devices/relaunch.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "base/error.hpp"
#include "base/platform/process.hpp"
#include "base/text.hpp"

namespace orrery::shell {
namespace {

constexpr const char* count_variable = "ORRERY_RELAUNCHED";  // restarts in a row
constexpr double soon = 60;                                  // seconds; a longer run starts a new count
constexpr std::int64_t most = 3;

std::int64_t relaunches() {
  const char* text = std::getenv(count_variable);
  return parse_integer(text != nullptr ? text : "").value_or(0);
}

}  // namespace

std::vector<std::string> arguments_to_go_on(const WindowOptions& options, const std::filesystem::path& state,
                                            std::int64_t frames, double seconds) {
  // The state file tells device, scene and window.
  std::vector<std::string> arguments{"--state", state.string()};
  const auto add = [&](const char* flag, const std::string& value) {
    if (value.empty()) return;
    arguments.emplace_back(flag);
    arguments.push_back(value);
  };
  if (!options.interop) arguments.emplace_back("--no-interop");
  if (!options.ui) arguments.emplace_back("--no-ui");
  if (options.frames > 0) add("--frames", std::to_string(std::max<std::int64_t>(1, options.frames - frames)));
  if (options.seconds > 0) add("--seconds", std::to_string(std::max(0.1, options.seconds - seconds)));
  if (options.measure > 0) add("--measure", std::to_string(options.measure));
  add("--screenshot", options.screenshot.string());
  add("--save-state", options.save_state.string());
  add("--stats", options.stats.string());
  add("--trace", options.trace.string());
  return arguments;
}

bool was_relaunched() {
  static bool told = false;
  return !std::exchange(told, true) && relaunches() > 0;
}

void relaunch(const std::vector<std::string>& arguments, double lived) {
  const std::int64_t count = lived < soon ? relaunches() + 1 : 1;
  if (count > most) throw failure("Orrery has restarted " + std::to_string(most) + " times already");
  platform::set_variable(count_variable, std::to_string(count));
  throw failure("Orrery cannot restart itself: " + platform::start_again(arguments));
}

}  // namespace orrery::shell
