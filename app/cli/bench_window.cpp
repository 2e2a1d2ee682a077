/// `orrery bench window`: the window of each scene beside its headless command, on the same device.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/files/file.hpp"
#include "base/platform/process.hpp"
#include "base/text.hpp"
#include "base/work/child_run.hpp"
#include "base/work/interrupt.hpp"
#include "base/written_number.hpp"
#include "cli/bench.hpp"
#include "cli/options.hpp"
#include "cli/window_bench.hpp"
#include "scene/scene_kind.hpp"

namespace orrery::cli {
namespace {

namespace fs = std::filesystem;

constexpr double longest_start = 120;  // seconds; a window without cached kernels builds all

struct WindowJob {
  std::string scenes, size = "1280x720", burst = "auto";
  double seconds = 5;
  bool interop = true;
  std::map<std::string_view, std::string> lists;  // keys: scenes
};

std::vector<const SceneKind*> compared_kinds(SceneKinds kinds) {
  std::vector<const SceneKind*> compared;
  std::ranges::copy_if(kinds, std::back_inserter(compared), [](auto* kind) { return kind->window_bench != nullptr; });
  return compared;
}

bool parse_window_job(SceneKinds kinds, const Arguments& arguments, const DeviceInfo& device, WindowJob& job) {
  const std::string all = names_of(kinds, &SceneKind::window_bench, ",");
  job.scenes = all;
  CLI::App app(
      "Compares the rates of the window and of the headless command on the same device, and "
      "measures the frame times of the window while it computes and while it is idle. Opens one "
      "window after another on the display.",
      "bench window");
  app.add_option("--scenes", job.scenes, "scenes, separated by commas; default " + all)->type_name("NAME,NAME");
  for (const SceneKind* kind : compared_kinds(kinds)) {
    const WindowBench& bench = *kind->window_bench;
    std::string& list = job.lists[kind->name];
    list = bench.standard(device);
    app.add_option("--" + std::string(bench.option), list, std::string(bench.help) + "; default " + list)
        ->type_name(std::string(bench.placeholder));
  }
  app.add_option("--burst", job.burst, "time steps between two pictures; default auto: depends on the problem")
      ->type_name("N|auto");
  add_parameters(app, {{{.name = "seconds",
                         .label = "",
                         .help = "measuring time per window and per command",
                         .minimum = 0.5,
                         .maximum = 3600},
                        &job.seconds}});
  app.add_option("--size", job.size, "size of the window in pixels; default " + job.size)->type_name("WxH");
  app.add_flag("!--no-interop", job.interop, "copy buffers to OpenGL instead of sharing them");
  return parse(app, arguments);
}

std::int64_t burst_of(const WindowJob& job) {
  if (job.burst == "auto") return 0;
  const auto burst = typed_integer("--burst", job.burst);
  if (!burst || *burst < 1 || *burst > 10000)
    throw usage_error("--burst", job.burst, "a whole number from 1 to 10000, or auto");
  return *burst;
}

std::vector<const SceneKind*> kinds_of(SceneKinds kinds, const WindowJob& job) {
  std::vector<const SceneKind*> wanted;
  for (const std::string& name : comma_separated(job.scenes)) {
    const SceneKind* kind = find_kind(kinds, name);
    if (kind == nullptr || kind->window_bench == nullptr)
      throw usage_error("--scenes", name, names_of(kinds, &SceneKind::window_bench) + ", separated by commas");
    wanted.push_back(kind);
  }
  return wanted;
}

/// A folder for the child processes' files; removed with the object.
class Scratch {
 public:
  Scratch()
      : folder_(fs::temp_directory_path() /
                ("orrery-bench-" + std::to_string(static_cast<std::int64_t>(now_seconds() * 1e6)))) {
    fs::create_directories(folder_);
  }
  ~Scratch() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  std::string file(const char* name) const { return (folder_ / name).string(); }

 private:
  fs::path folder_;
};

void append(std::vector<std::string>& list, const std::vector<std::string>& more) {
  list.insert(list.end(), more.begin(), more.end());
}

/// "a window (neither DISPLAY …": the last line of the child's output.
std::string last_line(std::string text) {
  while (text.ends_with('\n')) text.pop_back();
  text = text.substr(text.find_last_of('\n') + 1);
  return text.starts_with("orrery: ") ? text.substr(8) : text;
}

class Comparer {
 public:
  Comparer(const DeviceInfo& device, const WindowJob& job) : device_(device), job_(job) {}

  BenchResult row(const SceneKind& kind, const WindowTrial& trial) {
    const WindowBench& bench = *kind.window_bench;
    progress_.show(0, std::string(kind.name) + ", idle");
    const nlohmann::json idle =
        window(kind, idle_arguments(bench, trial));  // also builds the kernels: their cache serves the rest
    progress_.show(0, std::string(kind.name) + ", computing");
    std::vector<std::string> arguments = trial.problem;
    append(arguments, trial.window);
    const nlohmann::json busy = window(kind, arguments);
    const nlohmann::json own = busy.value(std::string(kind.name), nlohmann::json::object());
    const double rate = bench.rate(own), step = bench.step_seconds(own);
    if (!(rate > 0) || !std::isfinite(step))
      throw failure("the window of " + std::string(kind.name) + " computed too little in " + brief(job_.seconds) +
                        " s to measure it",
                    "try longer --seconds or a smaller problem");
    progress_.show(0, std::string(kind.name) + ", headless");
    std::vector<std::string> command{std::string(kind.name)};
    append(command, bench.headless(trial, own, job_.seconds, scratch_.file("picture.png")));
    append(command, trial.problem);
    const double headless = headless_rate(command, bench.unit);

    BenchResult result;
    result.name = kind.name;
    result.parameters = trial.parameters;
    result.median_seconds = step;
    result.runs = static_cast<int>(std::clamp(job_.seconds / step, 1.0, 1e9));
    result.rate = rate;
    result.unit = bench.unit;
    result.bound = headless;
    result.bound_reason = "the headless command: orrery";
    for (const std::string& word : command)
      result.bound_reason += " " + (word == scratch_.file("picture.png") ? "picture.png" : word);
    const double p50 = busy["frame_ms"]["p50"], p99 = busy["frame_ms"]["p99"], idle_p99 = idle["frame_ms"]["p99"];
    result.parameters.update({{"interop", busy["interop"]},
                              {"ratio", rate / headless},
                              {"device_busy", busy["device_busy"]},
                              {"pictures_per_second", busy["pictures_per_second"]},
                              {"frame_p50_ms", p50},
                              {"frame_p99_ms", p99},
                              {"idle_p99_ms", idle_p99}});
    result.note = "frames p50 " + brief(p50, 3) + ", p99 " + brief(p99, 3) + " ms, idle p99 " + brief(idle_p99, 3) +
                  " ms, " + brief(busy["pictures_per_second"].get<double>(), 3) + " pictures/s";
    return result;
  }

 private:
  std::vector<std::string> idle_arguments(const WindowBench& bench, const WindowTrial& trial) const {
    std::vector<std::string> arguments = trial.idle;
    if (bench.idle_state.empty()) return arguments;
    const std::string state = scratch_.file("idle.toml");
    write_file(state, std::string(bench.idle_state));
    append(arguments, {"--state", state});
    return arguments;
  }

  /// Measures a window and returns its statistics.
  nlohmann::json window(const SceneKind& kind, const std::vector<std::string>& more) const {
    const std::string stats = scratch_.file("stats.json");
    std::vector<std::string> arguments{"--scene",   std::string(kind.name),
                                       "--device",  text_of(device_.id),
                                       "--size",    job_.size,
                                       "--measure", shortest(job_.seconds),
                                       "--seconds", shortest(longest_start + job_.seconds),
                                       "--stats",   stats};
    if (!job_.interop) arguments.emplace_back("--no-interop");
    append(arguments, more);
    run("the window of " + std::string(kind.name), arguments);
    return nlohmann::json::parse(read_file(stats));
  }

  /// The rate printed before the unit: "3.4e+09 interactions/s".
  double headless_rate(std::vector<std::string> command, std::string_view unit) const {
    append(command, {"--device", text_of(device_.id)});
    const std::string said = run("orrery " + command.front(), command);
    const std::size_t end = said.find(" " + std::string(unit));
    const std::size_t begin = end == std::string::npos ? end : said.find_last_of(" (", end - 1);
    const auto rate = begin == std::string::npos ? std::nullopt : parse_real(said.substr(begin + 1, end - begin - 1));
    if (!rate || !(*rate > 0)) throw failure("orrery " + command.front() + " printed no rate in " + std::string(unit));
    return *rate;
  }

  /// This program as a child process. Returns what it prints; throws on failure.
  std::string run(const std::string& what, const std::vector<std::string>& arguments) const {
    const double longest = 2 * longest_start + 20 * job_.seconds;
    const ChildEnd end = run_child(platform::this_program(), arguments, {}, longest, [] { return !interrupted(); });
    end_if_interrupted();
    if (end.fault.empty()) return end.output;
    const std::string reason = last_line(end.errors);
    throw failure(what + " " + end.fault + (reason.empty() ? "" : ": " + reason));
  }

  const DeviceInfo& device_;
  const WindowJob& job_;
  Scratch scratch_;
  Progress progress_{"bench window"};
};

}  // namespace

std::vector<std::string> steps_option(const WindowTrial& trial, double seconds_per_step, double seconds) {
  const auto burst = trial.parameters.at("burst").get<std::int64_t>();
  const double bursts = seconds / seconds_per_step / static_cast<double>(burst);
  const auto whole = static_cast<std::int64_t>(std::clamp(std::ceil(bursts), 1.0, 1e9));
  return {"--steps", std::to_string(burst * whole)};
}

void bench_window(SceneKinds kinds, const BenchDevices& devices, const Arguments& arguments, BenchResults& results) {
  const DeviceInfo& device = devices.infos.front();
  WindowJob job;
  if (!parse_window_job(kinds, arguments, device, job)) return;
  const std::int64_t burst = burst_of(job);
  std::vector<std::pair<const SceneKind*, WindowTrial>> trials;  // all checked before the first window opens
  for (const SceneKind* kind : kinds_of(kinds, job))
    for (WindowTrial& trial : kind->window_bench->trials(job.lists.at(kind->name), burst, device))
      trials.emplace_back(kind, std::move(trial));
  Comparer comparer(device, job);
  for (const auto& [kind, trial] : trials) results.push_back(comparer.row(*kind, trial));
}

}  // namespace orrery::cli
