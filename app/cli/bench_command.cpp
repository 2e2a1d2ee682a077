#include <algorithm>
#include <cstdio>
#include <functional>
#include <optional>

#include "base/error.hpp"
#include "base/files/file.hpp"
#include "base/text.hpp"
#include "base/work/interrupt.hpp"
#include "cli/bench.hpp"
#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "compute/queue/profiler.hpp"
#include "scene/scene_kind.hpp"

namespace orrery::cli {
namespace {

constexpr std::string_view own_names =
    "device | reduce | sort | interop | window";  // benchmarks that belong to no scene

std::string known(SceneKinds kinds) { return names_of(kinds, &SceneKind::bench) + " | " + std::string(own_names); }

void print_bench_usage(SceneKinds kinds) {
  std::printf(
      "Measures a rate, checks the results, and compares the rate with the device's limit.\n\n"
      "Usage: orrery bench NAME [options]\n\n"
      "  %-25s rates of the scene's kernels\n"
      "  reduce                    bytes per second of sums and extremes\n"
      "  sort                      pairs per second of the radix sort\n"
      "  interop                   steps per second of the n-body step with shared and with copied surfaces\n"
      "  device                    peak rates of the device\n"
      "  window                    the window of each scene, compared with its headless command\n\n"
      "  orrery bench NAME --help  the options of a benchmark\n",
      names_of(kinds, &SceneKind::bench, "|").c_str());
}

using BenchFunction = std::function<void(const BenchDevices&, const Arguments&, BenchResults&)>;

BenchFunction bench_named(SceneKinds kinds, const std::string& name) {
  const SceneKind* kind = find_kind(kinds, name);
  if (kind != nullptr && kind->bench != nullptr) return kind->bench;
  if (name == "device") return bench_device;
  if (name == "reduce") return bench_reduce;
  if (name == "sort") return bench_sort;
  if (name == "window") return std::bind_front(bench_window, kinds);
  throw usage_error("bench", name, known(kinds));
}

struct Common {
  DeviceChoice devices;
  std::string json;
};

bool is_on(const std::string& text) {
  if (text == "on" || text == "off") return text == "on";
  throw usage_error("--profile", text, "on or off");
}

/// The options of every benchmark.
void add_common(CLI::App& app, Common& common) {
  app.set_help_flag();
  app.allow_extras();
  add_device_options(app, common.devices);
  app.add_option("--json", common.json, "file to which the results are also written")->type_name("FILE");
  app.add_option_function<std::string>(
         "--profile", [](const std::string& text) { ask_for_times(is_on(text)); },
         "record device timings (off: to measure their overhead); default on")
      ->type_name("on|off");
  list_under(app, "Every benchmark", {"device", "split", "exchange", "json", "profile"});
}

/// Returns the arguments that belong to the benchmark itself.
Arguments parse_common(const Arguments& arguments, Common& common) {
  CLI::App app("", "bench");
  add_common(app, common);
  parse(app, arguments);
  check_output("--json", common.json);
  return app.remaining();
}

/// "bodies 4096, precision single, work_group 256"; measured numbers have a column of their own.
std::string text_of(const nlohmann::ordered_json& parameters) {
  std::string text;
  for (const auto& [name, value] : parameters.items())
    if (!value.is_number_float())
      text += (text.empty() ? "" : ", ") + name + " " + (value.is_string() ? value.get<std::string>() : value.dump());
  return text;
}

}  // namespace

void report(const DeviceInfo& device, const std::vector<BenchResult>& results, const std::string& json) {
  nlohmann::ordered_json document = {
      {"device", device.name}, {"driver", device.driver}, {"results", nlohmann::ordered_json::array()}};
  std::vector<std::string> reasons;  // reasons of the bounds, without repetition
  std::printf("%s, driver %s\n", device.name.c_str(), device.driver.c_str());
  for (const BenchResult& r : results) {
    const std::string fraction =
        r.bound > 0 ? brief(100 * r.rate / r.bound, 3) + " % of " + brief(r.bound, 3) : std::string();
    std::printf("%-22s %-64s %9s ms ×%-3d %9s %s  %s%s%s\n", r.name.c_str(), text_of(r.parameters).c_str(),
                brief(1e3 * r.median_seconds).c_str(), r.runs, brief(r.rate).c_str(), r.unit.c_str(), fraction.c_str(),
                fraction.empty() || r.note.empty() ? "" : ", ", r.note.c_str());
    const std::string reason = r.bound > 0 ? brief(r.bound, 3) + " " + r.unit + ": " + r.bound_reason : r.bound_reason;
    if (std::ranges::find(reasons, reason) == reasons.end()) reasons.push_back(reason);
    document["results"].push_back({{"name", r.name},
                                   {"parameters", r.parameters},
                                   {"median_seconds", r.median_seconds},
                                   {"runs", r.runs},
                                   {"rate", r.rate},
                                   {"unit", r.unit},
                                   {"bound", r.bound > 0 ? nlohmann::ordered_json(r.bound) : nlohmann::ordered_json()},
                                   {"bound_reason", r.bound_reason}});
  }
  for (const std::string& reason : reasons) std::printf("%s\n", reason.c_str());
  if (!json.empty()) write_file(json, document.dump(2) + "\n");
}

void end_if_interrupted() {
  if (interrupted()) throw Interrupted(" between two measurements");
}

int run_bench(SceneKinds kinds, const Arguments& all) {
  if (all.empty()) throw usage_error("bench: name a benchmark, " + known(kinds), {}, {});
  if (all.front() == "--help" || all.front() == "-h") {
    print_bench_usage(kinds);
    return 0;
  }
  const BenchFunction bench = bench_named(kinds, all.front());
  Common common;
  const Arguments own = parse_common({all.begin() + 1, all.end()}, common);
  const bool helps = std::ranges::find(own, "--help") != own.end() || std::ranges::find(own, "-h") != own.end();
  // Help needs no device; some benchmarks look at its limits before they read their options.
  const BenchDevices devices{helps ? std::vector<DeviceInfo>(1) : open_choice(common.devices), common.devices.exchange};
  BenchResults results;
  const InterruptWatch watch("the current measurement");
  try {
    const std::optional<Progress> progress =
        helps ? std::nullopt : std::optional<Progress>(std::in_place, "bench " + all.front());
    bench(devices, own, results);
  } catch (const Interrupted&) {  // reported below, after the finished rows
  }
  if (!results.empty()) report(devices.infos.front(), results, common.json);
  if (helps) {
    CLI::App app;
    add_common(app, common);
    std::printf("%s", options_text(app).c_str());
  }
  if (interrupted())
    throw Interrupted(" after " + std::to_string(results.size()) + " measurements" +
                      (results.empty() ? "; nothing was written" : holding({common.json})));
  return 0;
}

}  // namespace orrery::cli
