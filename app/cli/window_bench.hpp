/// The runs of `orrery bench window` for a scene: one problem in the window and as the headless command.
///
/// Plain values and functions; see SceneKind::window_bench.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "compute/device/device_info.hpp"

namespace orrery::cli {

/// One problem, as options of both programs.
struct WindowTrial {
  nlohmann::ordered_json parameters;  ///< parameters of its row
  std::vector<std::string> problem;   ///< options of the window and of the headless command
  std::vector<std::string> window;    ///< further options of the window
  std::vector<std::string> idle;      ///< options of an idle window, in place of all these
};

struct WindowBench {
  /// The option that lists the problems, "bodies", with its placeholder and help; its default value on a device.
  std::string_view option, placeholder, help;
  std::string (*standard)(const DeviceInfo& device);
  /// `burst`: time steps between two pictures, 0: suits the problem. Throws a usage Error for a bad list.
  std::vector<WindowTrial> (*trials)(const std::string& list, std::int64_t burst, const DeviceInfo& device);

  /// A state file that keeps an idle window from computing; may be empty.
  std::string_view idle_state;
  /// Read the scene's part of the file of --stats: work per second in `unit`, and the seconds of one step. The headless
  /// command prints its rate before the unit.
  double (*rate)(const nlohmann::json& own);
  std::string_view unit;
  double (*step_seconds)(const nlohmann::json& own);
  /// Further options of the headless command: work for about `seconds`. It may write `picture`, FILE.png.
  std::vector<std::string> (*headless)(const WindowTrial& trial, const nlohmann::json& own, double seconds,
                                       const std::string& picture);
};

/// "--steps N" for the headless command: whole bursts of the trial that take about `seconds`.
std::vector<std::string> steps_option(const WindowTrial& trial, double seconds_per_step, double seconds);

}  // namespace orrery::cli
