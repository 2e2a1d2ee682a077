#include "shell/tools/tools.hpp"

#include "base/log.hpp"
#include "base/text.hpp"
#include "compute/program/compiler.hpp"
#include "compute/tuning/variant_text.hpp"

namespace orrery::shell {

Tools::Tools(const WindowOptions& options, Notices& notices) : notices_(notices), first_tuning_(options.tune) {
  timeline_.record_always(!options.trace.empty());
}

void Tools::start(const command::StartTuning& start, const OpenDevices* devices) {
  if (devices != nullptr) tuner_.start(start, devices->device_object());
}

void Tools::measure_ceilings(const OpenDevices* devices) {
  if (devices == nullptr) return;
  if (tuner_.sweeping()) return notices_.show("The tuner is running: measure the ceilings when it has ended");
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
    if (const auto compiler = compiler_for(device)) compiler->stop();
  notices_.warn("Cancelled the build. The previous kernels keep running");
}

// ---- the frame

void Tools::fill(WindowSnapshot& s, OpenDevices* devices, double now) {
  s.timeline = timeline_.seen();
  s.editor = editor_.snapshot();
  poll();
  s.comparison = comparer_.snapshot();
  if (devices == nullptr) return;
  kernels_.follow(*devices, now);
  s.scene.kernels = kernels_.kernels();
  s.scene.use = use_told_by(s.scene.kernels);
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
