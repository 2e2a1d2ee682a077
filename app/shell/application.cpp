#include "shell/application.hpp"

#include <glad/gl.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "base/clock.hpp"
#include "base/files/unfinished_file.hpp"
#include "base/log.hpp"
#include "base/text.hpp"
#include "base/trace_file.hpp"
#include "base/work/interrupt.hpp"
#include "shell/devices/relaunch.hpp"
#include "shell/keymap.hpp"

namespace orrery::shell {

Application::Application(SceneKinds kinds, WindowOptions options, double launched, State loaded)
    : kinds_(kinds),
      options_(std::move(options)),
      document_(std::move(loaded)),
      window_(options_.size, "Orrery", options_.vsync),
      passes_(tools_.timeline().timeline()),
      imgui_(window_),
      presenter_(window_, tools_.timeline().timeline(), options_.vsync, launched) {
  ui_.hidden = !options_.ui;
  tell_edited_kernels(document_.loaded());
  if (const std::string names = drafts_.offer(ui_.editor); !names.empty())
    notices_.show("Unsaved kernel text of an earlier session: " + names + ". Press E to see it");
  if (!was_relaunched()) return;
  notices_.show("The graphics driver was reset. Orrery continues from its last copy");
  if (autosave_.left() && autosave_.left()->state == options_.state) autosave_.continue_from_left();
}

Application::~Application() {
  devices_.close();
  (void)Tidier::finish(10);
}

void Application::add(std::unique_ptr<Scene> scene) {
  scenes_.push_back(std::move(scene));
  if (scene_ == nullptr || scenes_.back()->kind().name == options_.scene) scene_ = scenes_.back().get();
}

// ---- the frame

void Application::run() {
  const InterruptWatch watch;
  while (!window_.close_requested() && !interrupted()) {
    const bool last = is_last_frame();
    frame(last);
    if (last) break;
    presenter_.wait_for_next();
  }
  write_files_on_leaving();
  drafts_.leave(ui_.editor);
  autosave_.leave();
  tools_.leave();
  for (const auto& scene : scenes_) scene->give_up_files();
  if (!tools_.busy() && !devices_.busy() && !workload_.compiling() && Tidier::finish(0)) {
    devices_.close();
    if (Tidier::finish(1)) return;
  }
  remove_unfinished_files();
  std::fflush(nullptr);
  std::_Exit(EXIT_SUCCESS);  // without a wait for work whose result is not wanted
}

bool Application::is_last_frame() const {
  const FrameClock& clock = presenter_.clock();
  return (options_.frames > 0 && clock.count() + 1 >= options_.frames) ||
         (options_.seconds > 0 && clock.since_launch(now_seconds()) >= options_.seconds);
}

void Application::frame(bool last) {
  TimelineKeeper& timeline = tools_.timeline();
  timeline.follow(ui_.timeline.open && !ui_.hidden, ui_.timeline.paused, now_seconds());
  take_input();
  update_scene();
  window_.minimised() ? imgui_.end() : draw();
  if (last && !options_.screenshot.empty()) write_image(options_.screenshot, read_back());
  if (saver_.take_screenshot_request()) saver_.save_screenshot(read_back());
  presenter_.present();
  if (window_.was_reset()) restart_after_reset();
  timeline.timeline().next_frame(now_nanoseconds());
  passes_.collect();
  if (OpenDevices* const open = devices_.devices(); open != nullptr && !window_.minimised())
    open->presented(presenter_.clock().last_frame(), window_.refresh_seconds());
  autosave();
}

void Application::take_input() {
  const TimelinePhase phase(tools_.timeline().timeline(), "input");
  // Events are collected before ImGui's frame begins, because its input must not change within the frame; they are
  // handled within it, when ImGui knows whether the pointer is on a panel.
  const std::vector<InputEvent> events = window_.events();
  imgui_.begin();
  for (const InputEvent& event : events) handle(event);
  const double now = now_seconds();
  devices_.follow(window_.share_properties(), now);
  follow_kernels();
  tidier_.follow(tools_.watch_builds(devices_.devices(), scene_, now), now);
  take_dropped();
  for (const command::Command& command : std::exchange(commands_, {})) apply(command);
}

// A kernel runs moments after it has been saved.
void Application::follow_kernels() {
  const double now = now_seconds();
  KernelEditor& editor = tools_.editor();
  OpenDevices* const open = devices_.devices();
  if (scene_ != nullptr) editor.judge(notices_.scene_fault(), scene_->compiling(), now);
  const bool changed =
      editor.follow(open != nullptr ? open->context().members : std::span<ProgramLibrary* const>(), now);
  if (const std::string fault = drafts_.follow(ui_.editor, now); !fault.empty()) notices_.show(fault);
  if (std::string message = editor.message(); !message.empty()) notices_.show(std::move(message));
  if (!changed) return;
  const auto& edits = kernel_sources()->edits();
  for (const auto& [file, text] : edits) document_.add_edited_kernel(file);
  window_.set_title(edits.empty() ? "Orrery" : "Orrery (modified kernels)");
  for (const auto& scene : scenes_) scene->apply(command::ReloadKernels{});
  tools_.tuner().sources_changed();
}

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
  const TimelinePhase phase(tools_.timeline().timeline(), "update");
  try {
    open->queue().harvest();
    tools_.take_turn(open->context(), scenes_);
    scene_->update(now_seconds(), presenter_.clock().last_frame(), viewport());
    tools_.tuner().mark_scene(open->queue());
  } catch (const std::exception& error) {
    devices_.fail(as_error(error));
  }
}

void Application::draw() {
  const Viewport view = [this] {
    const TimelinePhase phase(tools_.timeline().timeline(), "size");  // the X server may take its time to answer
    return viewport();
  }();
  draw_scene(view);
  draw_panels(view);
}

void Application::draw_scene(const Viewport& view) {
  const TimelinePhase phase(tools_.timeline().timeline(), "draw");
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
  const TimelinePhase phase(tools_.timeline().timeline(), "panels");
  const WindowSnapshot seen = snapshot();
  if (devices_.devices() != nullptr && seen.scene.status.empty()) presenter_.clock().note_picture(now_seconds());
  ui::draw_ui(seen, ui_, imgui_.fonts(), commands_);
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
  glViewport(0, 0, view.framebuffer.x, view.framebuffer.y);
  const gl::PassTimer::Pass pass(passes_, "panels");
  imgui_.end();
}

Image Application::read_back() const {
  const glm::ivec2 size = window_.framebuffer();
  Image image(static_cast<std::uint32_t>(size.x), static_cast<std::uint32_t>(size.y));
  std::vector<std::uint8_t> rows(image.rgb.size());
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadBuffer(GL_BACK);
  glReadPixels(0, 0, size.x, size.y, GL_RGB, GL_UNSIGNED_BYTE, rows.data());
  const std::size_t row = 3 * static_cast<std::size_t>(size.x);
  for (std::size_t y = 0; y < image.height; ++y)
    std::copy_n(rows.data() + (image.height - 1 - y) * row, row, image.rgb.data() + y * row);
  return image;
}

WindowSnapshot Application::snapshot() {
  WindowSnapshot s;
  s.platforms = devices_.catalog().platforms();
  s.installation_hints = std::string(installation_hints());
  s.frames = presenter_.clock().recent();
  s.vsync = presenter_.vsync();
  s.gl_renderer = window_.renderer();
  for (const auto& scene : scenes_) s.scenes.push_back({scene->kind().name, scene->kind().title, scene->kind().keys});
  s.keys = window_keys();
  if (scene_ != nullptr) s.scene = scene_->snapshot(), s.scene.tuning = scene_->kind().tuning;
  notices_.set_scene_fault(s.scene.can_rewind ? std::string() : s.scene.fault);
  devices_.fill(s);
  tools_.fill(s, devices_.devices(), now_seconds());
  ui_.silent = devices_.is_silent();
  ui_.can_give_up = tools_.offers_cancel();
  try {
    if (auto saved = saver_.poll()) notices_.show(*saved);
  } catch (const std::exception& error) {
    notices_.warn(as_error(error).what());
  }
  if (const auto& left = autosave_.left())
    s.left_session = {.when = left->when, .report = left->report, .copied = !left->state.empty()};
  s.message = notices_.notice();
  return s;
}

// Every few seconds, so that no end of the process loses more.
void Application::autosave() {
  if (const auto fault = autosave_.poll()) notices_.warn(*fault);
  const double now = now_seconds();
  if (devices_.devices() != nullptr && autosave_.due(now)) autosave_.save(now, document_.copy(window_state(), scenes_));
}

void Application::handle(const FileDrop& event) {
  if (event.paths.empty()) return;
  notices_.show("Reading " + short_name(event.paths.front()));
  open_dropped(event.paths);
}

// ---- commands

void Application::apply(const command::Command& command) {
  try {
    if (apply_to_window(command) || apply_to_files(command)) return;
    tools_.apply(command, devices_, scene_);
    if (scene_ == nullptr) return;
    if (std::holds_alternative<command::Rewind>(command) && !scene_->snapshot().can_rewind) return;
    scene_->apply(command);
    if (std::string notice = scene_->take_notice(); !notice.empty()) notices_.show(std::move(notice));
  } catch (const Error& error) {
    notices_.warn(error.what());
  }
}

// False for commands of other parts.
bool Application::apply_to_files(const command::Command& command) {
  const auto& left = autosave_.left();
  if (std::holds_alternative<command::SaveScreenshot>(command)) {
    saver_.request_screenshot();
  } else if (std::holds_alternative<command::ExportTimeline>(command)) {
    saver_.save_trace(tools_.timeline().exported());
  } else if (std::holds_alternative<command::ForgetSession>(command)) {
    autosave_.discard_left();
  } else if (std::holds_alternative<command::RestoreSession>(command)) {
    if (!left || left->state.empty()) return true;
    notices_.show("Restoring the session of " + left->when);
    open_dropped({left->state.string()});
  } else {
    return false;
  }
  return true;
}

void Application::select_scene(const std::string& name) {
  if (Scene* const scene = find_scene(scenes_, name)) scene_ = scene;
}

// ---- files

void Application::open_dropped(std::vector<std::string> paths) {
  dropped_.start([kinds = kinds_, paths = std::move(paths)] { return examine_dropped(kinds, paths); });
}

void Application::take_dropped() {
  try {
    if (const auto dropped = dropped_.poll()) take(*dropped);
  } catch (const std::exception& error) {
    notices_.show(error.what());
  }
}

// The file's table [window] tells only which scene to show: size and devices stay.
void Application::take(const DroppedFile& file) {
  load_scenes(file.state, scenes_);
  document_.take(file.state);
  if (!file.scene.empty()) select_scene(file.scene);
  const bool left = autosave_.left() && autosave_.left()->state == file.path;
  std::string notice = left ? "Restored the session of " + autosave_.left()->when : "Loaded " + short_name(file.path);
  if (!file.contents.empty()) notice = file.contents + " from " + short_name(file.path);
  if (left) autosave_.continue_from_left();
  for (const std::string& unknown : file.unknown) {
    log(Level::warning, file.path + ": unknown " + unknown + ", kept");
    notice += "; unknown " + unknown;
  }
  notices_.show(std::move(notice));
  tell_edited_kernels(file.state);
}

// From then on the document tells as well that such kernels have computed a part of it.
void Application::tell_edited_kernels(const State& state) {
  const std::string files = document_.take_edited_kernels(state);
  if (!files.empty()) notices_.warn("Edited kernels have computed a part of this state: " + files);
}

WindowState Application::window_state() const {
  const OpenDevices* const open = devices_.devices();
  return {.scene = scene_ != nullptr ? std::string(scene_->kind().name) : std::string(),
          .devices = open != nullptr ? open->devices() : DeviceInfos(),
          .size = window_.size(),
          .vsync = presenter_.vsync()};
}

// ---- the end

// Everything made in OpenGL is lost, as is everything in OpenCL that was shared with it: only another process can draw.
void Application::restart_after_reset() {
  log(Level::error, "the graphics driver has been reset");
  devices_.copy_to_host();
  std::filesystem::path file = autosave_.for_successor();
  if (file.empty()) file = std::filesystem::temp_directory_path() / "orrery-after-reset.toml";
  write_state(file, state());
  const double lived = presenter_.clock().since_launch(now_seconds());
  try {
    relaunch(arguments_to_go_on(options_, file, presenter_.clock().count(), lived), lived);
  } catch (const Error& error) {
    throw failure(std::string("the graphics driver has been reset, and ") + error.what(),
                  "orrery --state " + file.string() + " continues from here");
  }
}

// A file that cannot be written does not prevent the others.
void Application::write_files_on_leaving() {
  std::exception_ptr first;
  const auto write = [&](bool wanted, auto&& file) {
    try {
      if (wanted) file();
    } catch (const std::exception& error) {
      log(Level::error, error.what());
      if (!first) first = std::current_exception();
    }
  };
  write(!options_.stats.empty(), [&] { write_stats(options_.stats, stats()); });
  const TimelineView seen =
      options_.trace.empty() ? TimelineView{} : tools_.timeline().timeline().view();  // before the state is copied
  write(!options_.save_state.empty(), [&] {
    devices_.copy_to_host();
    write_state(options_.save_state, state());
  });
  write(!options_.trace.empty(), [&] { write_trace(options_.trace, seen); });
  if (first) std::rethrow_exception(first);
}

RunStats Application::stats() {
  return {.devices = devices_.devices(),
          .clock = presenter_.clock(),
          .scene = scene_,
          .editor = tools_.editor().snapshot(),
          .tuner = tools_.tuner().snapshot(),
          .renderer = window_.renderer(),
          .left_session = autosave_.left() ? autosave_.left()->file() : std::filesystem::path()};
}

}  // namespace orrery::shell
