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
#include "base/work/abandon.hpp"
#include "base/work/interrupt.hpp"
#include "shell/devices/relaunch.hpp"

namespace orrery::shell {
namespace {

constexpr double statistics_interval = 0.1;  // seconds between two readings of the profiler for the panel

}  // namespace

Application::Application(WindowOptions options, double launched, State loaded)
    : options_(std::move(options)),
      launched_(launched),
      window_(options_.size, "Orrery", options_.vsync),
      passes_(timeline_.timeline()),
      imgui_(window_),
      loaded_(std::move(loaded)) {
  ui_.hidden = !options_.ui;
  timeline_.record_always(!options_.trace.empty());
  note_edited_kernels(loaded_);
  if (const std::string names = drafts_.offer(ui_.editor); !names.empty())
    message_ = "Typed and not saved in an earlier session: " + names + ". E shows it";
  if (!was_relaunched()) return;
  message_ = "The graphics driver was reset: the session goes on from its last copy";
  if (sessions_.left() && sessions_.left()->state == options_.state) sessions_.go_on_from_left();
}

// What such kernels have computed is told as theirs from then on.
void Application::note_edited_kernels(const State& state) {
  const std::string files = edited_kernels_of(state);
  if (files.empty()) return;
  message_ = "Edited kernels have computed some of this session: " + files;
  log(Level::warning, message_);
  std::istringstream names(files);
  for (std::string name; std::getline(names, name, ',');) edited_kernels_.insert(name);
}

Application::~Application() {
  close_session();
  (void)all_let_go(10);
}

void Application::add(std::unique_ptr<Scene> scene) {
  scenes_.push_back(std::move(scene));
  if (scene_ == nullptr || scenes_.back()->name() == options_.scene) scene_ = scenes_.back().get();
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
  for (const auto& scene : scenes_) scene->leave();
  const bool working = tuner_.busy() || devices_.searching() || ceilings_.measuring() || comparer_.busy() ||
                       editor_.building() || answering_.busy();
  const bool compiling = std::ranges::any_of(scenes_, [](const auto& scene) { return scene->compiling(); });
  abandoned::let_go();
  if (!working && !compiling && !abandoned::any()) {
    close_session();
    if (all_let_go(1)) return;
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
  if (window_.was_reset()) begin_anew_after_reset();
  clock_.presented(now_seconds());
  timeline_.timeline().next_frame(now_nanoseconds());
  passes_.collect();
  if (session_ && !window_.minimised()) session_->presented(clock_.last_frame(), window_.refresh_seconds());
  if (first_frame_ == 0) first_frame_ = clock_.last_present() - launched_;
  keep_session();
}

void Application::take_input() {
  const TimelinePhase phase(timeline_.timeline(), "input");
  // Collected before ImGui's frame, which must not see its input change; handled in it, when it knows what it hovers.
  const std::vector<InputEvent> events = window_.events();
  imgui_.begin();
  for (const InputEvent& event : events) handle(event);
  follow_devices();
  follow_kernels();
  watch_building();
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
  const auto devices = session_ ? session_->context().members : std::span<ProgramLibrary* const>();
  if (scene_ != nullptr) editor_.judge(scene_fault_, scene_->compiling(), now);
  const bool changed = editor_.follow(devices, now);
  if (const std::string fault = drafts_.follow(ui_.editor, now); !fault.empty()) message_ = fault;
  if (std::string message = editor_.message(); !message.empty()) message_ = std::move(message);
  if (!changed) return;
  for (const auto& [file, text] : kernel_sources()->edits()) edited_kernels_.insert(file);
  window_.set_title(kernel_sources()->edits().empty() ? "Orrery" : "Orrery (modified kernels)");
  for (const auto& scene : scenes_) scene->apply(command::ReloadKernels{});
  tuner_.sources_changed();
}

// ---- commands

void Application::apply(const command::Command& command) {
  try {
    if (const auto* select = std::get_if<command::SelectScene>(&command)) return select_scene(select->name);
    if (const auto* selection = std::get_if<command::SelectDevices>(&command)) {
      wanted_ = devices_.at(*selection);
      return;
    }
    if (const auto* vsync = std::get_if<command::SetVsync>(&command)) {
      options_.vsync = vsync->on;
      return window_.set_vsync(vsync->on);
    }
    if (std::holds_alternative<command::MeasureCeilings>(command)) {
      if (tuner_.sweeping())
        message_ = "The tuner is at work: measure the ceilings when it is done";
      else if (session_)
        ceilings_.measure(session_->context().device);
      return;
    }
    if (const auto* wanted = std::get_if<command::Compare>(&command)) return compare(*wanted);
    if (std::holds_alternative<command::RestoreSession>(command)) return restore_session();
    if (std::holds_alternative<command::ForgetSession>(command)) return sessions_.forget_left();
    if (std::holds_alternative<command::GiveUpBuilding>(command)) give_up_building();
    if (std::holds_alternative<command::CancelComparison>(command)) return comparer_.cancel();
    if (std::holds_alternative<command::ExportTimeline>(command)) return save_trace();
    if (std::holds_alternative<command::Screenshot>(command)) {
      screenshot_wanted_ = true;
      return;
    }
    if (std::holds_alternative<command::DismissMessage>(command)) {
      message_.clear();
      fault_.clear();
    }
    follow_tuning(command);
    std::visit(
        [this](const auto& c) {
          if constexpr (requires { editor_.apply(c); }) editor_.apply(c);
        },
        command);
    if (scene_ == nullptr) return;
    scene_->apply(command);
    if (std::holds_alternative<command::AddBookmark>(command)) message_ = "Bookmarked: the view is among the places";
  } catch (const Error& error) {
    message_ = error.what();
    log(Level::warning, message_);
  }
}

void Application::restore_session() {
  if (!sessions_.left() || sessions_.left()->state.empty()) return;
  const std::string path = sessions_.left()->state.string();
  message_ = "Restoring the session of " + sessions_.left()->when;
  dropped_.start([path] { return examine_dropped({path}); });
}

void Application::compare(const command::Compare& wanted) {
  if (!session_ || scene_ == nullptr) return;
  const DeviceId here = session_->device().id;
  const auto device = [this](DeviceId id) { return devices_.at({{id}}).front(); };
  comparer_.start({device(here), device(wanted.device.value_or(here))}, scene_->comparison(wanted.parameters));
}

void Application::select_scene(const std::string& name) {
  for (const auto& scene : scenes_)
    if (scene->name() == name) scene_ = scene.get();
}

// ---- drawing

Viewport Application::viewport() const {
  const glm::ivec2 framebuffer = window_.framebuffer();
  const glm::vec2 size = window_.size();
  const glm::vec2 pixels_per_unit = glm::vec2(framebuffer) / glm::max(size, glm::vec2(1));
  const ui::Rect area = ui::picture_area(ui_, size.x, size.y, imgui_.scale(), session_ != nullptr);
  const glm::ivec2 origin = glm::vec2(area.x, size.y - area.y - area.height) * pixels_per_unit;
  const glm::ivec2 extent = glm::vec2(area.width, area.height) * pixels_per_unit;
  return {origin, glm::max(extent, glm::ivec2(1)), framebuffer, imgui_.scale()};
}

void Application::update_scene() {
  if (!session_ || scene_ == nullptr) return;
  const TimelinePhase phase(timeline_.timeline(), "update");
  try {
    session_->queue().harvest();
    take_turns();
    scene_->update(now_seconds(), clock_.last_frame(), viewport());
    mark_scenes_work();
  } catch (const std::exception& error) {
    fail(as_error(error));
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
    if (session_ && scene_ != nullptr) scene_->draw(timed);
  } catch (const Error& error) {
    fail(error);
  }
}

void Application::draw_panels(const Viewport& view) {
  const TimelinePhase phase(timeline_.timeline(), "panels");
  const WindowSnapshot seen = snapshot();
  if (first_picture_ == 0 && session_ && seen.scene.status.empty()) first_picture_ = now_seconds() - launched_;
  ui::draw_ui(seen, ui_, imgui_.fonts(), commands_);
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
  glViewport(0, 0, view.framebuffer.x, view.framebuffer.y);
  const gl::PassTimer::Pass pass(passes_, "panels");
  imgui_.end();
}

WindowSnapshot Application::snapshot() {
  WindowSnapshot s;
  s.platforms = devices_.platforms();
  s.installation_hints = std::string(installation_hints());
  s.frames = clock_.recent();
  s.vsync = options_.vsync;
  s.gl_renderer = window_.renderer();
  s.timeline = timeline_.seen();
  for (const auto& scene : scenes_) s.scenes.push_back(scene->name());
  if (scene_ != nullptr) s.scene = scene_->snapshot();
  const std::string scene_fault = s.scene.can_rewind ? std::string() : s.scene.fault;
  if (!scene_fault.empty() && scene_fault != scene_fault_) log(Level::warning, scene_fault);
  scene_fault_ = scene_fault;
  s.editor = editor_.snapshot();
  if (session_) {
    s.members = session_->devices();
    s.device_name = names_of(s.members);
    s.shared = session_->sharing().shared;
    s.sharing_reason = session_->sharing().reason;
    if (now_seconds() - kernels_taken_ > statistics_interval) {
      kernels_ = session_->queue().profiler().statistics();
      name_sources(kernels_, session_->queue(), session_->context().programs);
      kernels_taken_ = now_seconds();
    }
    s.scene.kernels = kernels_;
    ceilings_.follow(session_->device());
    s.scene.roofline = {ceilings_.known(), ceilings_.measuring(), {}};
    if (ceilings_.known())
      for (const KernelStatistics& kernel : kernels_)
        s.scene.roofline.places.push_back(roofline_place(kernel, *ceilings_.known()));
    tuner_.follow(s.scene, session_->device(), s.members.size(), ceilings_.known());
    s.tuner = tuner_.snapshot();
  } else if (answering_.busy()) {
    s.device_name = "asking which devices still answer …";
    s.scene.status = "asking which devices still answer";
  } else if (devices_.searching()) {
    s.device_name = "looking for OpenCL devices …";
    s.scene.status = "looking for OpenCL devices";
  }
  ui_.silent = silent_;
  if (silent_)
    s.scene.fault = silence() +
                    ". It may be computing something that never ends: abandon it, choose "
                    "another device, or leave; what was computed a moment ago is kept";
  if (!fault_.empty()) {
    s.scene.fault = fault_;
    s.scene.fault_log = fault_log_;
  }
  try {
    if (auto saved = saving_.poll()) message_ = *saved;
    ceilings_.poll();
    comparer_.poll();
  } catch (const std::exception& error) {
    message_ = as_error(error).what();
    log(Level::warning, message_);
  }
  s.comparison = comparer_.snapshot();
  if (sessions_.left())
    s.left_session = {
        .when = sessions_.left()->when, .report = sessions_.left()->report, .copied = !sessions_.left()->state.empty()};
  s.message = message_;
  return s;
}

}  // namespace orrery::shell
