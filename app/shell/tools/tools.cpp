#include "shell/tools/tools.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

#include "base/log.hpp"
#include "base/text.hpp"
#include "compute/measure/ceilings.hpp"
#include "compute/measure/ceilings_store.hpp"
#include "compute/program/compiler.hpp"
#include "compute/tuning/variant_text.hpp"

namespace orrery::shell {
namespace {

struct ComparisonCancelled {};

constexpr std::chrono::milliseconds rest_after_slice{4};  // pause for the scene

struct MeasuringCancelled {};

std::string identity_of(const DeviceInfo& device) {
  return device.platform + "\n" + device.name + "\n" + device.driver + "\n" + std::to_string(device.parts);
}

// Short runs with rests between them hardly delay a frame. There are many, because the scene disturbs them and only the
// shortest run counts.
const CeilingsPace beside_a_scene{
    .long_enough = 1e-3, .patience = 0.4, .most_bytes = std::size_t{256} << 20, .rest = {}};
constexpr std::chrono::milliseconds rest_between_launches{10};

}  // namespace

void Comparer::start(std::array<DeviceInfo, 2> devices, ComparisonJob job) {
  if (busy()) return;
  run_ = std::make_shared<Run>();
  work_.start([run = run_, devices = std::move(devices), job = std::move(job)]() -> std::optional<Comparison> {
    try {
      ProgramLibrary first{Device(devices[0])}, second{Device(devices[1])};
      return job({&first, &second}, [&run](double done) {
        if (run->stop) throw ComparisonCancelled();
        run->done = done;
        std::this_thread::sleep_for(rest_after_slice);
      });
    } catch (const ComparisonCancelled&) {
      return {};
    }
  });
}

void Comparer::poll() {
  if (auto done = work_.poll(); done && *done) result_ = std::move(*done);
}

void CeilingsKeeper::follow(const DeviceInfo& device) {
  if (of_ == identity_of(device)) return;
  of_ = identity_of(device);
  known_ = kept_ceilings(ceilings_path(), device);
}

void CeilingsKeeper::measure(const Device& device) {
  if (measuring()) return;
  work_.start([device, stop = stop_]() -> Measured {
    CeilingsPace pace = beside_a_scene;
    pace.rest = [stop] {
      if (*stop) throw MeasuringCancelled();
      std::this_thread::sleep_for(rest_between_launches);
    };
    try {
      ProgramLibrary programs(device, kernel_folder(), cache_folder());  // without the user's edits
      const Ceilings ceilings = measure_ceilings(programs, pace);
      keep_ceilings(ceilings_path(), device.info(), ceilings);
      return {identity_of(device.info()), ceilings};
    } catch (const MeasuringCancelled&) {
      return {};
    }
  });
}

void CeilingsKeeper::poll() {
  const auto done = work_.poll();
  if (done && done->ceilings && done->of == of_) known_ = done->ceilings;
}

Tools::Tools(const WindowOptions& options, Notices& notices) : notices_(notices), first_tuning_(options.tune) {
  timeline_.record_always(!options.trace.empty());
}

void Tools::start(const command::StartTuning& start, const OpenDevices* devices) {
  if (devices != nullptr) tuner_.start(start, devices->device_object());
}

void Tools::measure_ceilings(const OpenDevices* devices) {
  if (devices == nullptr) return;
  if (tuner_.sweeping()) return notices_.show("The tuner is running: measure the peak rates when it has finished");
  ceilings_.measure(devices->device_object());
}

void Tools::compare(const command::Compare& wanted, const DeviceSession& devices, const Scene& scene) {
  if (scene.kind().compare == nullptr)
    throw usage_error(std::string(scene.kind().title) + " has no comparison", {}, "choose another scene");
  if (devices.devices() == nullptr) return;
  const DeviceId here = devices.devices()->device().id;
  const auto device = [&devices](DeviceId id) { return devices.catalog().at({{id}}).front(); };
  comparer_.start({device(here), device(wanted.device.value_or(here))}, scene.kind().compare(scene, wanted.parameters));
}

// ---- tuning

void Tools::choose(const command::ChooseVariant& choice, Scene& scene) {
  if (choice.scene != scene.kind().name) return;
  tuner_.check_choosable(choice);
  for (const ParameterView& parameter : scene.snapshot().parameters)
    if (parameter.info.name == variant_parameter)
      scene.apply(
          command::SetParameter{std::string(variant_parameter),
                                with_choice(std::get<std::string>(parameter.value), choice.kernel, choice.values)});
}

void Tools::take_turn(ComputeContext& context, const Scenes& scenes) {
  begin_first_tuning(context.device);
  Tuner::Turn turn = tuner_.update(context.slice_seconds);
  context.yields = turn.scene_waits;
  if (!turn.fault.empty()) notices_.fail("Could not read or keep tuned settings", std::move(turn.fault));
  if (!turn.found_choices) return;
  for (const auto& scene : scenes) scene->apply(command::TakeTuned{});
}

void Tools::begin_first_tuning(const Device& device) {
  if (first_tuning_ <= 0 || !tuner_.scene_runs()) return;
  const std::string& unavailable = tuner_.snapshot().unavailable;
  if (!unavailable.empty()) log(Level::warning, "--tune has no effect: " + unavailable);
  if (!unavailable.empty() || tuner_.start({.kernel = {}, .axes = {}, .seconds = first_tuning_}, device))
    first_tuning_ = 0;
}

// ---- builds

bool Tools::can_cancel_builds(const OpenDevices* devices, const Scene* scene) const {
  return devices != nullptr && scene != nullptr && (scene->status().can_give_up || editor_.building());
}

bool Tools::watch_builds(const OpenDevices* devices, const Scene* scene, double now) {
  const bool building = devices != nullptr && scene != nullptr && (scene->status().compiling || editor_.building());
  if (builds_.follow(building, can_cancel_builds(devices, scene), now))
    log(Level::warning,
        names_of(devices->devices()) + " has been preparing kernels for " + brief(builds_.limit()) + " s");
  return building;
}

void Tools::cancel_builds(const OpenDevices* devices, const Scene* scene) {
  if (!can_cancel_builds(devices, scene)) return;
  for (const DeviceInfo& device : devices->devices())
    if (const auto compiler = compiler_for(device, true)) compiler->stop();
  notices_.warn("Cancelled the build. The previous kernels keep running");
}

// ---- the frame

// Files of kernels have the name of their scene in front; a device keeps the statistics of all scenes.
static bool is_of_other_scene(std::string_view file, const WindowSnapshot& window) {
  return std::ranges::any_of(window.scenes, [&](const SceneEntry& scene) {
    return scene.name != window.scene.name && file.starts_with(std::string(scene.name) + "_");
  });
}

void Tools::fill(WindowSnapshot& s, OpenDevices* devices, double now) {
  s.timeline = timeline_.seen();
  s.editor = editor_.snapshot();
  poll();
  s.comparison = comparer_.snapshot();
  if (devices == nullptr) return;
  kernels_.follow(*devices, now);
  s.scene.kernels = kernels_.kernels();
  s.scene.use = use_told_by(s.scene.kernels);
  std::erase_if(s.scene.kernels, [&](const KernelStatistics& kernel) { return is_of_other_scene(kernel.file, s); });
  ceilings_.follow(devices->device());
  s.scene.roofline = {ceilings_.known(), ceilings_.measuring(), {}};
  if (ceilings_.known())
    for (const KernelStatistics& kernel : s.scene.kernels)
      s.scene.roofline.places.push_back(roofline_place(kernel, *ceilings_.known()));
  tuner_.follow(s.scene, devices->device(), s.members.size(), ceilings_.known());
  s.tuner = tuner_.snapshot();
}

void Tools::poll() {
  try {
    ceilings_.poll();
    comparer_.poll();
  } catch (const std::exception& error) {
    notices_.fail(as_error(error));
  }
}

bool Tools::busy() const { return tuner_.busy() || ceilings_.measuring() || comparer_.busy() || editor_.building(); }

void Tools::leave() {
  tuner_.leave();
  tuner_.finish_writing();
}

}  // namespace orrery::shell
