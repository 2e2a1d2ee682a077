#include <glad/gl.h>

#include <algorithm>
#include <cstdio>
#include <mutex>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <thread>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/files/file.hpp"
#include "base/text.hpp"
#include "base/work/abandon.hpp"
#include "base/work/background.hpp"
#include "cli/device_report.hpp"
#include "cli/options.hpp"
#include "compute/measure/selftest.hpp"
#include "compute/queue/answering.hpp"
#include "interop/sharing.hpp"
#include "shell/devices/device_commands.hpp"
#include "shell/window/window.hpp"

namespace orrery::shell {
namespace {

constexpr cl_uint count = 65536 + 3;

/// The window, opened on demand, and facts about its OpenGL.
class Screen {
 public:
  nlohmann::ordered_json facts() const { return facts_; }
  void tell_sharing(const SharingReport& sharing) {
    facts_["shares"] = sharing.shared;
    facts_["sharing"] = cli::without_places(sharing.reason);
  }

  const Window& window() {
    if (!reason_.empty()) throw NotHere{reason_};
    if (window_) return *window_;
    try {
      window_.emplace(glm::ivec2{320, 200}, "Orrery", false, Window::Show::no);
      const auto told = [](GLenum what) {
        const auto* text = reinterpret_cast<const char*>(glGetString(what));
        return std::string(text != nullptr ? text : "");
      };
      facts_ = {{"vendor", told(GL_VENDOR)},
                {"renderer", told(GL_RENDERER)},
                {"version", told(GL_VERSION)},
                {"shading_language", told(GL_SHADING_LANGUAGE_VERSION)}};
      return *window_;
    } catch (const Error& error) {
      reason_ = error.details().what;
      facts_ = {{"none", cli::without_places(reason_)}};
      throw NotHere{reason_};
    }
  }

 private:
  nlohmann::ordered_json facts_ = nlohmann::ordered_json::object();
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
  if (!surface.arrived()) throw failure("a published surface did not arrive");
}

std::string check_surfaces(const DeviceInfo& info, Screen& screen, bool shared) {
  const GlShareProperties properties = screen.window().share_properties();
  const OpenedDevice opened = open_for_window(info, properties, shared);
  if (shared) screen.tell_sharing(opened.sharing);
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
        throw WrongValue("OpenGL reads another value than OpenCL wrote",
                         whole_difference("value " + std::to_string(i), (i + seed) * 2654435761u, seen[i]));
    glFinish();
  }
  return "4 hand-overs of 65,539 values";
}

/// The check throws NotHere without a display or sharing.
std::vector<SelftestItem> surface_selftests(const DeviceInfo& info, const std::shared_ptr<Screen>& screen) {
  return {{"surfaces, shared", [info, screen] { return check_surfaces(info, *screen, true); }},
          {"surfaces, copied", [info, screen] { return check_surfaces(info, *screen, false); }}};
}

/// The result of a check. The report says "unfinished" if the program does not survive it.
struct Outcome {
  std::string name;
  std::string state = "unfinished";  // or "passed", "failed", "not here", "not run"
  std::string told = "the program ended during this check";
  double seconds = 0, build_seconds = 0;
  ErrorDetails details = {};
  std::optional<Difference> first = {};
  bool silent = false;
};

/// The builds of a library, from any thread.
class Builds {
 public:
  void add(const BuildRecord& record) {
    const std::lock_guard lock(mutex_);
    records_.push_back(record);
  }
  std::vector<BuildRecord> all() const {
    const std::lock_guard lock(mutex_);
    return records_;
  }
  double seconds() const {
    const auto records = all();
    return std::accumulate(records.begin(), records.end(), 0.0,
                           [](double sum, const BuildRecord& each) { return sum + each.seconds; });
  }

 private:
  mutable std::mutex mutex_;
  std::vector<BuildRecord> records_;
};

Outcome outcome_of(const SelftestItem& item, const Builds& builds) {
  const double began = now_seconds(), built = builds.seconds();
  Outcome outcome{.name = item.name, .state = "passed", .told = {}};
  try {
    outcome.told = item.run();
  } catch (const NotHere& nothing) {
    outcome.state = "not here";
    outcome.told = nothing.reason;
  } catch (const std::exception& thrown) {
    const Error error = as_error(thrown);
    outcome.state = "failed";
    outcome.told = error.what();
    outcome.details = error.details();
    outcome.silent = dynamic_cast<const DeviceSilent*>(&thrown) != nullptr;
    if (const auto* wrong = dynamic_cast<const WrongValue*>(&thrown)) outcome.first = wrong->first();
  }
  outcome.told = cli::without_places(std::move(outcome.told));
  outcome.seconds = now_seconds() - began;
  outcome.build_seconds = builds.seconds() - built;
  return outcome;
}

void print(const Outcome& outcome) {
  std::printf("  %-9s %-30s %8.3f s  %s\n", outcome.state.c_str(), outcome.name.c_str(), outcome.seconds,
              outcome.told.c_str());
  std::fflush(stdout);
}

using Json = nlohmann::ordered_json;

Json as_json(const Outcome& outcome) {
  Json json = {{"name", outcome.name},
               {"result", outcome.state},
               {"told", outcome.told},
               {"seconds", outcome.seconds},
               {"build_seconds", outcome.build_seconds}};
  if (!outcome.details.code.empty()) json["code"] = outcome.details.code;
  if (!outcome.details.log.empty()) json["log"] = cli::without_places(outcome.details.log);
  if (outcome.first)
    json["first_difference"] = {{"of", outcome.first->of},
                                {"expected", outcome.first->expected},
                                {"found", outcome.first->found},
                                {"relative", outcome.first->relative},
                                {"ulps", outcome.first->ulps}};
  return json;
}

Json as_json(const BuildRecord& build) {
  return {{"source", build.source},
          {"options", build.options},
          {"result", build.fault.empty() ? "built" : "failed"},
          {"seconds", build.seconds},
          {"from_cache", build.from_cache},
          {"log", cli::without_places(build.log)}};
}

/// The checks of one device, in sequence. OpenGL checks run on this thread, the others on a thread of their own that a
/// driver may block for ever.
class Selftest {
 public:
  Selftest(SceneKinds kinds, const DeviceInfo& info, std::string report)
      : kinds_(kinds), info_(info), report_(std::move(report)) {
    facts_ = {{"orrery", ORRERY_VERSION},
              {"system", cli::system_properties()},
              {"platforms", cli::platform_properties()},
              {"device", cli::as_json(info)},
              {"properties", cli::device_properties(handle_of(info))}};
    items_.emplace_back(SelftestItem{"context", [this] { return open(); }}, true);
  }

  void run() {
    for (std::size_t k = 0; k < items_.size(); ++k) {  // the first check adds the others
      const auto [item, here] = items_[k];
      Outcome& outcome = outcomes_.emplace_back(Outcome{.name = item.name});
      if (!ended_) write();
      outcome = checked(item, here, static_cast<double>(k) / static_cast<double>(items_.size()));
      print(outcome);
      ended_ = ended_ || outcome.silent;
    }
    write();
    std::printf("%td passed, %td failed, %td not here\n", count("passed"), count("failed"), count("not here"));
    if (ended_) abandon(programs_);
  }

  bool passed() const { return count("failed") == 0; }

 private:
  std::string open() {
    // A binary that is loaded from the disk has no log.
    if (report_.empty())
      programs_ = std::make_shared<ProgramLibrary>(Device(info_));
    else
      programs_ = std::make_shared<ProgramLibrary>(Device(info_), *kernel_sources(), std::filesystem::path());
    programs_->watch_builds([builds = builds_](const BuildRecord& record) { builds->add(record); });
    add(device_selftests(*programs_), false);
    add(surface_selftests(info_, screen_), true);
    for (const SceneKind* kind : kinds_)
      if (kind->selftests != nullptr) add(kind->selftests(*programs_), false);
    return info_.version;
  }

  void add(std::vector<SelftestItem> more, bool here) {
    for (SelftestItem& item : more) items_.emplace_back(std::move(item), here);
  }

  std::ptrdiff_t count(const char* state) const { return std::ranges::count(outcomes_, state, &Outcome::state); }

  Outcome checked(const SelftestItem& item, bool here, double done) {
    if (ended_) return {.name = item.name, .state = "not run", .told = "the device does not answer"};
    cli::Progress progress("selftest");
    progress.show(done, item.name);
    return here ? outcome_of(item, *builds_) : elsewhere(item);
  }

  Outcome elsewhere(const SelftestItem& item) {
    const double longest = patience(600);  // seconds: a slow compiler takes minutes
    Background<Outcome> check;
    check.start([item, builds = builds_, programs = programs_] { return outcome_of(item, *builds); });
    for (const double began = now_seconds(); now_seconds() - began < longest;) {
      if (auto outcome = check.poll()) return std::move(*outcome);
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    leave(check);
    return {.name = item.name,
            .state = "failed",
            .told = "the driver has not returned for " + brief(longest) + " s",
            .seconds = longest,
            .silent = true};
  }

  void write() const {
    if (report_.empty()) return;
    Json json = facts_;
    json["opengl"] = screen_->facts();
    json["programs"] = Json::array();
    for (const BuildRecord& build : builds_->all()) json["programs"].push_back(as_json(build));
    json["checks"] = Json::array();
    for (const Outcome& each : outcomes_) json["checks"].push_back(as_json(each));
    // Drivers' names and logs may contain any bytes.
    write_file(report_, json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
  }

  SceneKinds kinds_;
  DeviceInfo info_;
  std::string report_;  // report file; empty: none
  std::shared_ptr<Builds> builds_ = std::make_shared<Builds>();
  std::shared_ptr<Screen> screen_ = std::make_shared<Screen>();
  std::shared_ptr<ProgramLibrary> programs_;
  Json facts_;
  std::vector<std::pair<SelftestItem, bool>> items_;
  std::vector<Outcome> outcomes_;
  bool ended_ = false;  // the device does not answer
};

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
  limit_silence(patience(60));
  Selftest test(kinds, info, json);
  test.run();
  return test.passed() ? 0 : 1;
}

}  // namespace orrery::shell
