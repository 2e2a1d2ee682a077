#include "shell/application.hpp"

#include <glad/gl.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <thread>

#include "base/clock.hpp"
#include "base/files/unfinished_file.hpp"
#include "base/log.hpp"
#include "base/text.hpp"
#include "base/work/interrupt.hpp"
#include "compute/program/compiler.hpp"
#include "shell/devices/relaunch.hpp"
#include "shell/keymap.hpp"

namespace orrery::shell {
namespace {

constexpr double statistics_interval = 0.1;  // seconds between two readings of the profiler for the panel

}  // namespace

Application::Application(SceneKinds kinds, WindowOptions options, double launched, State loaded)
    : kinds_(kinds),
      options_(std::move(options)),
      launched_(launched),
      window_(options_.size, "Orrery", options_.vsync),
      passes_(timeline_.timeline()),
      imgui_(window_),
      loaded_(std::move(loaded)) {
  ui_.hidden = !options_.ui;
  timeline_.record_always(!options_.trace.empty());
  note_edited_kernels(loaded_);
  if (const std::string names = drafts_.offer(ui_.editor); !names.empty())
    notices_.show("Unsaved kernel text of an earlier session: " + names + ". Press E to see it");
  if (!was_relaunched()) return;
  notices_.show("The graphics driver was reset. Orrery continues from its last copy");
  if (sessions_.left() && sessions_.left()->state == options_.state) sessions_.go_on_from_left();
}

// What such kernels have computed is told as theirs from then on.
void Application::note_edited_kernels(const State& state) {
  const std::string files = edited_kernels_of(state);
  if (files.empty()) return;
  notices_.warn("Edited kernels have computed a part of this state: " + files);
  std::istringstream names(files);
  for (std::string name; std::getline(names, name, ',');) edited_kernels_.insert(name);
}

Application::~Application() {
  devices_.close();
  (void)Tidier::finish(10);
}

void Application::add(std::unique_ptr<Scene> scene) {
  scenes_.push_back(std::move(scene));
  if (scene_ == nullptr || scenes_.back()->kind().name == options_.scene) scene_ = scenes_.back().get();
}

void Application::run() {
  const InterruptWatch watch;
  while (!window_.close_requested() && !interrupted()) {
    const bool last = is_last_frame();
    frame(last);
    if (last) break;
    pace();
  }
  write_files_on_leaving();
  drafts_.leave(ui_.editor);
  sessions_.leave();
  tuner_.leave();
  tuner_.finish_writing();
  for (const auto& scene : scenes_) scene->give_up_files();
  const bool working = tuner_.busy() || devices_.busy() || ceilings_.measuring() || comparer_.busy() ||
                       editor_.building() || workload_.compiling();
  if (!working && Tidier::finish(0)) {
    devices_.close();
    if (Tidier::finish(1)) return;
  }
  remove_unfinished_files();
  std::fflush(nullptr);
  std::_Exit(EXIT_SUCCESS);  // nobody waits for kernels that nobody needs any more
}

bool Application::is_last_frame() const {
  return (options_.frames > 0 && clock_.count() + 1 >= options_.frames) ||
         (options_.seconds > 0 && now_seconds() - launched_ >= options_.seconds);
}

void Application::frame(bool last) {
  timeline_.follow(ui_.timeline.open && !ui_.hidden, ui_.timeline.paused, now_seconds());
  take_input();
  if (!window_.minimised()) {
    update_scene();
    draw();
  } else {
    update_scene();
    imgui_.end();
  }
  if (last && !options_.screenshot.empty()) write_image(options_.screenshot, read_back());
  if (std::exchange(screenshot_wanted_, false)) save_screenshot();
  present();
  if (window_.was_reset()) restart_after_reset();
  clock_.presented(now_seconds());
  timeline_.timeline().next_frame(now_nanoseconds());
  passes_.collect();
  if (OpenDevices* open = devices_.devices(); open != nullptr && !window_.minimised())
    open->presented(clock_.last_frame(), window_.refresh_seconds());
  if (first_frame_ == 0) first_frame_ = clock_.last_present() - launched_;
  keep_session();
}

void Application::take_input() {
  const TimelinePhase phase(timeline_.timeline(), "input");
  // Collected before ImGui's frame, which must not see its input change; handled in it, when it knows what it hovers.
  const std::vector<InputEvent> events = window_.events();
  imgui_.begin();
  for (const InputEvent& event : events) handle(event);
  devices_.follow(window_.share_properties(), now_seconds());
  follow_kernels();
  watch_builds();
  follow_drops();
  for (const command::Command& command : std::exchange(commands_, {})) apply(command);
}

// Where the display does not hold the rate (no vertical synchronisation, minimised), the clock does. It runs a little
// ahead of the display, so that it never makes a display that does hold its rate skip a frame.
void Application::pace() {
  constexpr double ahead = 0.97;
  constexpr double minimised_interval = 0.1;
  pacer_.presented(now_seconds(), window_.minimised() ? minimised_interval : ahead * window_.refresh_seconds());
  wait_until(pacer_.begin_at(), "wait");
  pacer_.begins(now_seconds());
}

void Application::present() {
  const double drawn = now_seconds();
  if (!window_.minimised()) {
    window_.flush();
    wait_until(pacer_.present_at(), "hold");
  }
  pacer_.presents(drawn, now_seconds());
  const TimelinePhase phase(timeline_.timeline(), "present");
  window_.present();
}

void Application::wait_until(double time, const char* phase_name) {
  if (!options_.vsync && !window_.minimised()) return;
  const TimelinePhase phase(timeline_.timeline(), phase_name);
  const double now = now_seconds();
  if (time > now) std::this_thread::sleep_for(std::chrono::duration<double>(time - now));
}

// A saved kernel is running moments later.
void Application::follow_kernels() {
  const double now = now_seconds();
  const auto devices =
      devices_.devices() != nullptr ? devices_.devices()->context().members : std::span<ProgramLibrary* const>();
  if (scene_ != nullptr) editor_.judge(notices_.scene_fault(), scene_->compiling(), now);
  const bool changed = editor_.follow(devices, now);
  if (const std::string fault = drafts_.follow(ui_.editor, now); !fault.empty()) notices_.show(fault);
  if (std::string message = editor_.message(); !message.empty()) notices_.show(std::move(message));
  if (!changed) return;
  for (const auto& [file, text] : kernel_sources()->edits()) edited_kernels_.insert(file);
  window_.set_title(kernel_sources()->edits().empty() ? "Orrery" : "Orrery (modified kernels)");
  for (const auto& scene : scenes_) scene->apply(command::ReloadKernels{});
  tuner_.sources_changed();
}

bool Application::can_cancel_builds() const {
  return devices_.devices() != nullptr && scene_ != nullptr && (scene_->can_give_up() || editor_.building());
}

void Application::watch_builds() {
  const double now = now_seconds();
  const bool building =
      devices_.devices() != nullptr && scene_ != nullptr && (scene_->compiling() || editor_.building());
  if (builds_.follow(building, can_cancel_builds(), now))
    log(Level::warning,
        names_of(devices_.devices()->devices()) + " has been preparing kernels for " + brief(builds_.limit()) + " s");
  ui_.can_give_up = builds_.offers_cancel();
  tidier_.follow(building, now);
}

void Application::cancel_builds() {
  if (!can_cancel_builds()) return;
  for (const DeviceInfo& device : devices_.devices()->devices())
    if (const auto compiler = compiler_for(device)) compiler->stop();
  notices_.warn("Cancelled the build. The previous kernels keep running");
}

// Everything made in OpenGL is lost, as is everything in OpenCL that was shared with it: only another process can draw.
void Application::restart_after_reset() {
  log(Level::error, "the graphics driver has been reset");
  devices_.copy_to_host();
  std::filesystem::path file = sessions_.for_successor();
  if (file.empty()) file = std::filesystem::temp_directory_path() / "orrery-after-reset.toml";
  write_state(file, state());
  const double lived = now_seconds() - launched_;
  try {
    relaunch(arguments_to_go_on(options_, file, clock_.count(), lived), lived);
  } catch (const Error& error) {
    throw failure(std::string("the graphics driver has been reset, and ") + error.what(),
                  "orrery --state " + file.string() + " continues from here");
  }
}

// ---- commands

void Application::apply(const command::Command& command) {
  try {
    if (const auto* select = std::get_if<command::SelectScene>(&command)) return select_scene(select->name);
    if (const auto* selection = std::get_if<command::SelectDevices>(&command)) return devices_.choose(*selection);
    if (const auto* vsync = std::get_if<command::SetVsync>(&command)) {
      options_.vsync = vsync->on;
      return window_.set_vsync(vsync->on);
    }
    if (std::holds_alternative<command::MeasureCeilings>(command)) {
      if (tuner_.sweeping())
        notices_.show("The tuner is running: measure the ceilings when it has ended");
      else if (devices_.devices() != nullptr)
        ceilings_.measure(devices_.devices()->context().device);
      return;
    }
    if (const auto* wanted = std::get_if<command::Compare>(&command)) return compare(*wanted);
    if (std::holds_alternative<command::RestoreSession>(command)) return restore_session();
    if (std::holds_alternative<command::ForgetSession>(command)) return sessions_.forget_left();
    if (std::holds_alternative<command::GiveUpBuilding>(command)) cancel_builds();
    if (std::holds_alternative<command::CancelComparison>(command)) return comparer_.cancel();
    if (std::holds_alternative<command::ExportTimeline>(command)) return save_trace();
    if (apply_to_window(command)) return;
    if (std::holds_alternative<command::DismissMessage>(command)) notices_.dismiss();
    follow_tuning(command);
    std::visit(
        [this](const auto& c) {
          if constexpr (requires { editor_.apply(c); }) editor_.apply(c);
        },
        command);
    if (scene_ == nullptr) return;
    if (std::holds_alternative<command::Rewind>(command) && !scene_->snapshot().can_rewind) return;
    scene_->apply(command);
    if (std::string notice = scene_->take_notice(); !notice.empty()) notices_.show(std::move(notice));
  } catch (const Error& error) {
    notices_.warn(error.what());
  }
}

void Application::restore_session() {
  if (!sessions_.left() || sessions_.left()->state.empty()) return;
  const std::string path = sessions_.left()->state.string();
  notices_.show("Restoring the session of " + sessions_.left()->when);
  dropped_.start([kinds = kinds_, path] { return examine_dropped(kinds, {path}); });
}

void Application::compare(const command::Compare& wanted) {
  if (devices_.devices() == nullptr || scene_ == nullptr) return;
  const DeviceId here = devices_.devices()->device().id;
  const auto device = [this](DeviceId id) { return devices_.catalog().at({{id}}).front(); };
  comparer_.start({device(here), device(wanted.device.value_or(here))}, scene_->comparison(wanted.parameters));
}

void Application::select_scene(const std::string& name) {
  for (const auto& scene : scenes_)
    if (scene->kind().name == name) scene_ = scene.get();
}

// ---- drawing

Viewport Application::viewport() const {
  const glm::ivec2 framebuffer = window_.framebuffer();
  const glm::vec2 size = window_.size();
  const glm::vec2 pixels_per_unit = glm::vec2(framebuffer) / glm::max(size, glm::vec2(1));
  const ui::Rect area = ui::picture_area(ui_, size.x, size.y, imgui_.scale(), devices_.devices() != nullptr);
  const glm::ivec2 origin = glm::vec2(area.x, size.y - area.y - area.height) * pixels_per_unit;
  const glm::ivec2 extent = glm::vec2(area.width, area.height) * pixels_per_unit;
  return {origin, glm::max(extent, glm::ivec2(1)), framebuffer, imgui_.scale()};
}

void Application::update_scene() {
  OpenDevices* const open = devices_.devices();
  if (open == nullptr || scene_ == nullptr) return;
  const TimelinePhase phase(timeline_.timeline(), "update");
  try {
    open->queue().harvest();
    take_turns();
    scene_->update(now_seconds(), clock_.last_frame(), viewport());
    tuner_.mark_scene(open->queue());
  } catch (const std::exception& error) {
    devices_.fail(as_error(error));
  }
}

void Application::draw() {
  const Viewport view = [this] {
    const TimelinePhase phase(timeline_.timeline(), "size");  // the X server answers when it has the time
    return viewport();
  }();
  draw_scene(view);
  draw_panels(view);
}

void Application::draw_scene(const Viewport& view) {
  const TimelinePhase phase(timeline_.timeline(), "draw");
  const gl::PassTimer::Pass pass(passes_, "clear");
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
  glViewport(0, 0, view.framebuffer.x, view.framebuffer.y);
  glDisable(GL_SCISSOR_TEST);
  glClearColor(0.02F, 0.02F, 0.03F, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  try {
    Viewport timed = view;
    timed.passes = &passes_;
    if (devices_.devices() != nullptr && scene_ != nullptr) scene_->draw(timed);
  } catch (const Error& error) {
    devices_.fail(error);
  }
}

void Application::draw_panels(const Viewport& view) {
  const TimelinePhase phase(timeline_.timeline(), "panels");
  const WindowSnapshot seen = snapshot();
  if (first_picture_ == 0 && devices_.devices() != nullptr && seen.scene.status.empty())
    first_picture_ = now_seconds() - launched_;
  ui::draw_ui(seen, ui_, imgui_.fonts(), commands_);
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
  glViewport(0, 0, view.framebuffer.x, view.framebuffer.y);
  const gl::PassTimer::Pass pass(passes_, "panels");
  imgui_.end();
}

WindowSnapshot Application::snapshot() {
  WindowSnapshot s;
  s.platforms = devices_.catalog().platforms();
  s.installation_hints = std::string(installation_hints());
  s.frames = clock_.recent();
  s.vsync = options_.vsync;
  s.gl_renderer = window_.renderer();
  s.timeline = timeline_.seen();
  for (const auto& scene : scenes_) s.scenes.push_back({scene->kind().name, scene->kind().title, scene->kind().keys});
  s.keys = window_keys();
  if (scene_ != nullptr) s.scene = scene_->snapshot(), s.scene.tuning = scene_->kind().tuning;
  notices_.set_scene_fault(s.scene.can_rewind ? std::string() : s.scene.fault);
  s.editor = editor_.snapshot();
  if (OpenDevices* const open = devices_.devices(); open != nullptr) {
    s.members = open->devices();
    s.device_name = names_of(s.members);
    s.shared = open->sharing().shared;
    s.sharing_reason = open->sharing().reason;
    if (now_seconds() - kernels_taken_ > statistics_interval) {
      kernels_ = open->queue().profiler().statistics();
      name_sources(kernels_, open->queue(), open->programs());
      kernels_taken_ = now_seconds();
    }
    s.scene.kernels = kernels_;
    ceilings_.follow(open->device());
    s.scene.roofline = {ceilings_.known(), ceilings_.measuring(), {}};
    if (ceilings_.known())
      for (const KernelStatistics& kernel : kernels_)
        s.scene.roofline.places.push_back(roofline_place(kernel, *ceilings_.known()));
    tuner_.follow(s.scene, open->device(), s.members.size(), ceilings_.known());
    s.tuner = tuner_.snapshot();
  } else if (const std::string activity = devices_.activity(); !activity.empty()) {
    s.device_name = activity + " …";
    s.scene.status = activity;
  }
  ui_.silent = devices_.is_silent();
  if (ui_.silent)
    s.scene.fault =
        devices_.silence() +
        ". A kernel may run without end: abandon the device, choose another one, or leave. What was computed "
        "a moment ago is kept";
  if (!notices_.device_fault().empty()) {
    s.scene.fault = notices_.device_fault();
    s.scene.fault_log = notices_.device_details();
  }
  try {
    if (auto saved = saving_.poll()) notices_.show(*saved);
    ceilings_.poll();
    comparer_.poll();
  } catch (const std::exception& error) {
    notices_.warn(as_error(error).what());
  }
  s.comparison = comparer_.snapshot();
  if (sessions_.left())
    s.left_session = {
        .when = sessions_.left()->when, .report = sessions_.left()->report, .copied = !sessions_.left()->state.empty()};
  s.message = notices_.notice();
  return s;
}

}  // namespace orrery::shell
