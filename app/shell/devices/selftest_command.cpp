#include "shell/devices/selftest_command.hpp"

#include <glad/gl.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/files/file.hpp"
#include "base/files/path.hpp"
#include "cli/device_report.hpp"
#include "cli/options.hpp"
#include "compute/measure/selftest.hpp"
#include "interop/sharing.hpp"
#include "shell/window.hpp"

namespace orrery::shell {
namespace {

constexpr cl_uint count = 65536 + 3;

/// The window, once it is needed.
class Screen {
 public:
  const Window& window() {
    if (!reason_.empty()) throw NotHere{reason_};
    if (window_) return *window_;
    try {
      return window_.emplace(glm::ivec2{320, 200}, "Orrery", false, Window::Show::no);
    } catch (const Error& error) {
      reason_ = error.details().what;
      throw NotHere{reason_};
    }
  }

 private:
  std::optional<Window> window_;
  std::string reason_;
};

std::vector<cl_uint> read_by_opengl(unsigned buffer) {
  std::vector<cl_uint> values(count);
  glBindBuffer(GL_COPY_READ_BUFFER, buffer);
  glGetBufferSubData(GL_COPY_READ_BUFFER, 0, static_cast<GLsizeiptr>(count * sizeof(cl_uint)), values.data());
  return values;
}

void write_by_opencl(ProgramLibrary& programs, Queue& queue, Surface& surface, cl_uint seed) {
  cl::Kernel kernel = programs.build({"selftest.cl", {{"WORK_GROUP", "1"}}})->kernel("fill_pattern");
  {
    auto lease = surface.lease(queue);
    kernel.setArg(0, lease.buffer());
    kernel.setArg(1, count);
    kernel.setArg(2, seed);
    queue.launch("fill", kernel, {round_up(count, 64)});
  }
  queue.finish();
  if (!surface.arrived()) throw failure("a surface that was handed over did not arrive");
}

std::string check_surfaces(const DeviceInfo& info, Screen& screen, bool shared) {
  const GlShareProperties properties = screen.window().share_properties();
  const OpenedDevice opened = open_for_window(info, properties, shared);
  if (shared && !opened.sharing.shared) throw NotHere{opened.sharing.reason};
  ProgramLibrary programs(opened.device);
  Queue queue(opened.device);
  const auto factory = make_surface_factory(opened.device, opened.sharing);
  SurfacePair pair(*factory, count * sizeof(cl_uint), queue);
  for (cl_uint seed = 1; seed <= 4; ++seed) {  // front and back in turn
    write_by_opencl(programs, queue, pair.back(), seed);
    pair.flip();
    const std::vector<cl_uint> seen = read_by_opengl(pair.front().gl_buffer());
    pair.front().drawn();
    for (cl_uint i = 0; i < count; ++i)
      if (seen[i] != (i + seed) * 2654435761u)
        throw failure("OpenGL reads another value " + std::to_string(i) + " than OpenCL wrote");
    glFinish();
  }
  return "4 hand-overs of 65,539 values";
}

/// The check throws NotHere where there is no display, or no sharing.
std::vector<SelftestItem> surface_selftests(const DeviceInfo& info) {
  const auto screen = std::make_shared<Screen>();
  return {{"surfaces, shared", [info, screen] { return check_surfaces(info, *screen, true); }},
          {"surfaces, copied", [info, screen] { return check_surfaces(info, *screen, false); }}};
}

struct Outcome {
  std::string name;
  std::string state;  // "passed", "failed" or "not here"
  std::string told;
  double seconds = 0;
};

// The report can be published: it names no user and no folder of this machine.
std::string without_places(std::string text) {
  std::vector<std::pair<std::string, std::string>> places{{home().string(), "…"}};
  for (const char* variable : {"HOME", "USERPROFILE", "USER", "USERNAME"})
    if (const char* value = std::getenv(variable); value != nullptr && std::string_view(value).size() > 2)
      places.emplace_back(value, variable[0] == 'H' ? "~" : "…");
  for (const auto& [place, instead] : places)
    for (std::size_t at; (at = text.find(place)) != std::string::npos;) text.replace(at, place.size(), instead);
  return text;
}

Outcome outcome_of(const SelftestItem& item) {
  const double began = now_seconds();
  Outcome outcome{.name = item.name, .state = "passed", .told = {}, .seconds = 0};
  try {
    outcome.told = item.run();
  } catch (const NotHere& nothing) {
    outcome.state = "not here";
    outcome.told = nothing.reason;
  } catch (const std::exception& error) {
    outcome.state = "failed";
    outcome.told = as_error(error).what();
  }
  outcome.told = without_places(std::move(outcome.told));
  outcome.seconds = now_seconds() - began;
  return outcome;
}

void print(const Outcome& outcome) {
  std::printf("  %-9s %-30s %8.3f s  %s\n", outcome.state.c_str(), outcome.name.c_str(), outcome.seconds,
              outcome.told.c_str());
  std::fflush(stdout);
}

void write_json(const std::string& path, const DeviceInfo& info, const std::vector<Outcome>& outcomes) {
  nlohmann::ordered_json checks = nlohmann::ordered_json::array();
  for (const Outcome& each : outcomes)
    checks.push_back({{"name", each.name}, {"result", each.state}, {"told", each.told}, {"seconds", each.seconds}});
  const nlohmann::ordered_json report = {
      {"orrery", ORRERY_VERSION}, {"device", cli::as_json(info)}, {"checks", checks}};
  write_file(path, report.dump(2) + "\n");
}

}  // namespace

int run_selftest(SceneKinds kinds, const std::vector<std::string>& arguments) {
  CLI::App app(
      "Checks a device and its driver in a few seconds: memory, sums, atomics, synchronisation between queues and with "
      "OpenGL, and every kernel against a reference. The report contains no user names and no paths.",
      "selftest");
  std::string device, json;
  cli::add_device_option(app, device);
  app.add_option("--json", json, "file to which the report is also written")->type_name("FILE.json");
  if (!cli::parse(app, arguments)) return 0;

  cli::check_output("--json", json);
  const DeviceInfo info = cli::open_choice(device);
  std::printf("Orrery %s\n", ORRERY_VERSION);
  cli::print_device(info);
  ProgramLibrary programs{Device(info)};
  std::vector<SelftestItem> items = device_selftests(programs);
  const auto add = [&](const std::vector<SelftestItem>& more) { items.insert(items.end(), more.begin(), more.end()); };
  add(surface_selftests(info));
  for (const SceneKind* kind : kinds)
    if (kind->selftests != nullptr) add(kind->selftests(programs));
  std::vector<Outcome> outcomes;
  for (const SelftestItem& item : items) {
    outcomes.push_back(outcome_of(item));
    print(outcomes.back());
  }
  const auto with = [&](const char* state) { return std::ranges::count(outcomes, state, &Outcome::state); };
  std::printf("%td passed, %td failed, %td not here\n", with("passed"), with("failed"), with("not here"));
  if (!json.empty()) write_json(json, info, outcomes);
  return with("failed") == 0 ? 0 : 1;
}

}  // namespace orrery::shell
