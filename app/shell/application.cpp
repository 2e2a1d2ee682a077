#include "shell/application.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "base/clock.hpp"
#include "base/files/unfinished_file.hpp"
#include "base/log.hpp"
#include "base/text.hpp"
#include "base/trace_file.hpp"
#include "base/work/interrupt.hpp"
#include "shell/devices/relaunch.hpp"
#include "shell/files/command_line.hpp"
#include "shell/keymap.hpp"
#include "shell/scene_commands.hpp"
#include "ui/clipboard.hpp"

namespace orrery::shell {
namespace {

constexpr double pictures_counted = 2;  // seconds, for the panel
constexpr double settling_seconds = 2;  // before --measure begins: kernels' lengths are known, and clocks have risen

template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};
template <class... F>
Overloaded(F...) -> Overloaded<F...>;

}  // namespace

Application::Application(SceneKinds kinds, WindowOptions options, double launched, StateTables loaded)
    : options_(std::move(options)),
      document_(std::move(loaded)),
      screen_(options_.size, options_.vsync, tools_.timeline().timeline()),
      presenter_(screen_.window(), tools_.timeline().timeline(), options_.vsync, launched,
                 [this] { return feed_scene(); }),
      scenes_(kinds) {
  ui_.hidden = !options_.ui;
  ui_.controls.wanted = controls_.wanted();
  if (options_.memory) {
    ui_.look = options_.memory->look;
    if (options_.memory->place) screen_.window().move_to(*options_.memory->place);
  }
  tell_edited_kernels(document_.loaded());
  if (const std::string names = drafts_.offer(ui_.editor); !names.empty())
    notices_.show("Unsaved kernel text of an earlier session: " + names + ". Press E to see it");
  if (!was_relaunched()) return;
  notices_.show("The graphics driver was reset. Orrery continues from its last backup");
  if (autosave_.left() && autosave_.left()->state == options_.state) autosave_.continue_from_left();
}

Application::~Application() {
  devices_.close();
  (void)Tidier::finish(10);
}

void Application::add(std::unique_ptr<Scene> scene) {
  scenes_.add(std::move(scene));
  scenes_.show(options_.scene);
}

// ---- the frame

void Application::run() {
  const InterruptWatch watch;
  while (!screen_.window().close_requested() && !interrupted()) {
    const bool last = is_last_frame();
    frame(last);
    if (last) break;
    presenter_.wait_for_next();
  }
  write_files_on_leaving();
  remember_window();
  drafts_.leave(ui_.editor);
  autosave_.leave();
  tools_.leave();
  for (const auto& scene : scenes_.all()) scene->give_up_files();
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
  const double now = now_seconds();
  return (options_.frames > 0 && clock.count() + 1 >= options_.frames) ||
         (options_.seconds > 0 && clock.since_launch(now) >= options_.seconds) ||
         (options_.measure > 0 && clock.running_for(now) >= settling_seconds + options_.measure);
}

void Application::frame(bool last) {
  TimelineKeeper& timeline = tools_.timeline();
  Window& window = screen_.window();
  timeline.follow(ui_.timeline.open && !ui_.hidden, ui_.timeline.paused, now_seconds());
  take_input();
  update_scene();
  if (must_draw(last)) {
    redraw_.drawn(now_seconds());
    draw(draws_all(last) || !presenter_.clock().first_running() || redraw_.panels_due(now_seconds(), drawing()));
    if (last && !options_.screenshot.empty()) save_last_picture();
    if (saver_.take_screenshot_request()) saver_.save_screenshot(screen_.read_back(), copy_of_shown());
    presenter_.present();
  } else {
    presenter_.leave_out(!window.minimised() && news() != News::none);
  }
  if (window.was_reset()) restart_after_reset();
  timeline.timeline().next_frame(now_nanoseconds());
  screen_.collect_times();
  if (OpenDevices* const open = devices_.devices(); open != nullptr && !window.minimised())
    open->presented(presenter_.clock().last_frame(), window.refresh_seconds());
  autosave();
}

bool Application::must_draw(bool last) const {
  if (screen_.window().minimised()) return last || saver_.screenshot_requested();
  return draws_all(last) || redraw_.due(now_seconds(), news(), drawing());
}

// Who counts frames, or wants as many as there can be, gets each of them drawn.
bool Application::draws_all(bool last) const {
  return last || saver_.screenshot_requested() || options_.frames > 0 || !presenter_.vsync();
}

News Application::news() const {
  if (screen_.resized()) return News::motion;
  const Scene* const scene = visible();
  return scene != nullptr ? scene->news(viewport()) : News::none;
}

RedrawPacer::Drawing Application::drawing() const {
  using enum RedrawPacer::Drawing;
  if (!screen_.draws_on_processor()) return by_device;
  const OpenDevices* const open = devices_.devices();
  return open != nullptr && open->device().device_class == DeviceClass::cpu ? by_busy_processor : by_processor;
}

void Application::take_input() {
  const TimelinePhase phase(tools_.timeline().timeline(), "input");
  // Events are handed over before ImGui's frame begins, because its input must not change within the frame; they are
  // handled within it, when ImGui knows whether the pointer is on a panel. They wait while a frame has begun that was
  // left out.
  screen_.imgui().set_look(ui_.look);
  InputQueue& input = screen_.window().poll();
  if (!input.empty()) redraw_.touched(now_seconds());
  if (!input.empty() && !screen_.imgui().begun()) {
    const std::vector<InputEvent> events = input.take();
    screen_.imgui().take(events);
    screen_.imgui().begin();
    for (const InputEvent& event : events) std::visit([this](const auto& e) { handle(e); }, event);
  }
  const double now = now_seconds();
  follow_devices(now);
  follow_kernels();
  tidier_.follow(tools_.watch_builds(devices_.devices(), scenes_.shown(), now), now);
  take_dropped();
  for (const command::Command& command : std::exchange(commands_, {})) apply(command);
  edits_.follow(screen_.imgui().holds_item());
}

// A kernel runs moments after it has been saved.
void Application::follow_kernels() {
  const double now = now_seconds();
  KernelEditor& editor = tools_.editor();
  OpenDevices* const open = devices_.devices();
  if (scenes_.shown() != nullptr) editor.judge(notices_.scene_fault(), scenes_.shown()->compiling(), now);
  const bool changed =
      editor.follow(open != nullptr ? open->context().members : std::span<ProgramLibrary* const>(), now);
  if (const std::string fault = drafts_.follow(ui_.editor, now); !fault.empty()) notices_.show(fault);
  if (std::string message = editor.message(); !message.empty()) notices_.show(std::move(message));
  if (!changed) return;
  const auto& edits = kernel_sources()->edits();
  for (const auto& [file, text] : edits) document_.add_edited_kernel(file);
  for (const auto& scene : scenes_.all()) scene->apply(command::ReloadKernels{});
  tools_.tuner().sources_changed();
}

// Opening a device takes a driver's time, in which nothing is presented: what needs no device is seen before.
void Application::follow_devices(double now) {
  constexpr double longest = 0.5;  // seconds after the first frame
  const FrameClock& clock = presenter_.clock();
  if (clock.count() == 0) return;
  const bool soon = devices_.devices() == nullptr && scenes_.shown() != nullptr && scenes_.shown()->has_sketch_coming();
  if (soon && clock.since_launch(now) < clock.first_frame() + longest) return;
  devices_.follow(screen_.window().share_properties(), now);
}

Viewport Application::viewport() const { return screen_.viewport(ui_, devices_.expected()); }

Scene* Application::visible() const { return devices_.expected() ? scenes_.shown() : nullptr; }

void Application::update_scene() {
  Scene* const scene = visible();
  if (scene == nullptr) return;
  const TimelinePhase phase(tools_.timeline().timeline(), "update");
  OpenDevices* const open = devices_.devices();
  try {
    if (open != nullptr) {
      open->queue().harvest();
      tools_.take_turn(open->context(), scenes_.all());
    }
    scene->update(now_seconds(), presenter_.clock().last_frame(), viewport());
    if (open != nullptr) tools_.tuner().mark_scene(open->queue());
  } catch (const std::exception& error) {
    devices_.fail(as_error(error));
  }
}

// Returns after how many seconds to come again: kernels that are computed where this runs have their time of it.
double Application::feed_scene() {
  constexpr double soon = 0.001, later = 0.002;
  const OpenDevices* const open = devices_.devices();
  if (open == nullptr || scenes_.shown() == nullptr) return later;
  const double again = open->device().device_class == DeviceClass::cpu ? later : soon;
  try {
    scenes_.shown()->feed(now_seconds());
  } catch (const std::exception& error) {
    devices_.fail(as_error(error));
  }
  return again;
}

void Application::draw(bool panels) {
  Timeline& timeline = tools_.timeline().timeline();
  const Viewport view = [&] {
    const TimelinePhase phase(timeline, "size");
    return viewport();
  }();
  draw_scene(view);
  const Scene* const scene = visible();
  const double now = now_seconds();
  if (scene != nullptr && scene->shows_picture()) presenter_.clock().note_picture(now);
  const TimelinePhase phase(timeline, "panels");
  if (!panels && screen_.draw_panels_again(view)) return;
  screen_.imgui().begin();
  const WindowSnapshot seen = snapshot();
  follow_title(seen.scene);
  const std::string preparing = devices_.devices() == nullptr ? "devices" : seen.scene.status;
  if (preparing.empty()) presenter_.clock().note_running(now);
  screen_.draw_panels(seen, ui_, commands_, view);
  redraw_.drawn_panels(now_seconds());
  controls_.follow(ui_.controls, preparing);
}

void Application::draw_scene(const Viewport& view) {
  const TimelinePhase phase(tools_.timeline().timeline(), "draw");
  try {
    screen_.draw_scene(visible(), view);
  } catch (const Error& error) {
    devices_.fail(error);
  }
}

WindowSnapshot Application::snapshot() {
  WindowSnapshot s;
  s.platforms = devices_.catalog().platforms();
  s.installation_hints = std::string(installation_hints());
  s.frames = presenter_.clock().recent();
  s.frames.pictures_per_second = presenter_.clock().pictures_per_second(pictures_counted);
  s.drawing = screen_.drawing();
  s.vsync = presenter_.vsync();
  s.gl_renderer = screen_.window().renderer();
  for (const auto& scene : scenes_.all())
    s.scenes.push_back({scene->kind().name, scene->kind().title, scene->kind().keys});
  s.keys = window_keys();
  if (const Scene* const scene = scenes_.shown()) {
    s.scene = scene->snapshot();
    s.scene.tuning = scene->kind().tuning;
  }
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
  s.edits = edits_.snapshot(s.scene);
  s.message = notices_.notice();
  return s;
}

// What is seen, the scene, the program. Not while a view moves: nobody could read that.
void Application::follow_title(const SceneSnapshot& seen) {
  const Scene* const scene = scenes_.shown();
  std::string title = seen.subject.empty() ? "" : seen.subject + " – ";
  if (scene != nullptr) title += std::string(scene->kind().title) + " – ";
  title += kernel_sources()->edits().empty() ? "Orrery" : "Orrery (modified kernels)";
  if (title == title_) return;
  title_ = title;
  screen_.window().set_title(title_);
}

// Every few seconds, so that no end of the process loses more.
void Application::autosave() {
  if (const auto fault = autosave_.poll()) notices_.warn(*fault);
  const double now = now_seconds();
  if (devices_.devices() != nullptr && autosave_.due(now))
    autosave_.save(now, document_.copy(window_state(), scenes_.all()));
}

// ---- input outside the panels

void Application::send(std::vector<PointerEvent> events) {
  if (scenes_.shown() == nullptr || events.empty()) return;
  const glm::vec2 corner = top_left(viewport());
  for (PointerEvent& event : events) {
    event.position -= corner;
    scenes_.shown()->pointer(event);
  }
}

void Application::handle(const MouseMove& event) { send(pointer_.handle(event, screen_.imgui().has_pointer())); }

void Application::handle(const MouseButton& event) {
  send(pointer_.handle(event, screen_.imgui().has_pointer(), now_seconds()));
}

void Application::handle(const MouseWheel& event) {
  if (scenes_.shown() == nullptr || screen_.imgui().has_pointer()) return;
  scenes_.shown()->scroll(
      {pointer_.position() - top_left(viewport()), event.steps, event.modifiers.shift, event.modifiers.control});
}

void Application::handle(const KeyEvent& event) {
  if (event.what == KeyEvent::What::released) return;
  const KeyBinding* binding = find_binding(window_keys(), event.key, event.modifiers);
  if (binding == nullptr && scenes_.shown() != nullptr)
    binding = find_binding(scenes_.shown()->kind().keys, event.key, event.modifiers);
  if (binding != nullptr && (binding->while_typing || !screen_.imgui().has_keyboard()))
    commands_.push_back(*binding->action);
}

void Application::handle(const FileDrop& event) {
  if (event.paths.empty()) return;
  notices_.show("Reading " + short_name(event.paths.front()));
  open_dropped(event.paths);
}

// ---- commands

void Application::apply(const command::Command& command) {
  try {
    if (apply_to_edits(command)) return;
    Scene* const scene = scenes_.shown();
    if (scene == nullptr) return carry_out(command);
    edits_.make(*scene, screen_.imgui().holds_item(), [&] { carry_out(command); });
  } catch (const Error& error) {
    notices_.warn(error.what());
  }
}

void Application::carry_out(const command::Command& command) {
  try {
    if (apply_to_window(command) || apply_to_files(command)) return;
    Scene* const scene = scenes_.shown();
    tools_.apply(command, devices_, scene);
    if (scene == nullptr) return;
    if (std::holds_alternative<command::Rewind>(command) && !scene->snapshot().can_rewind) return;
    scene->apply(command);
    if (std::string notice = scene->take_notice(); !notice.empty()) notices_.show(std::move(notice));
  } catch (const Error& error) {
    notices_.warn(error.what());
  }
}

// False for commands of other parts.
bool Application::apply_to_window(const command::Command& command) {
  Scene* const scene = scenes_.shown();
  const auto toggle = [](bool& shown) {
    shown = !shown;
    return true;
  };
  const auto call = [](auto&& action) {
    action();
    return true;
  };
  return std::visit(
      Overloaded{
          [&](const command::ToggleHelp&) { return toggle(ui_.help_open); },
          [&](const command::ChangeScale& change) { return call([&] { change_scale(change.direction); }); },
          [&](const command::TogglePanels&) { return toggle(ui_.hidden); },
          [&](const command::ToggleTimeline&) { return toggle(ui_.timeline.open); },
          [&](const command::ToggleFullScreen&) { return call([&] { screen_.window().toggle_full_screen(); }); },
          [&](const command::Escape&) { return call([&] { escape(); }); },
          [&](const command::Quit&) { return call([&] { screen_.window().request_close(); }); },
          [&](const command::SetVsync& vsync) { return call([&] { presenter_.set_vsync(vsync.on); }); },
          [&](const command::DismissMessage&) { return call([&] { notices_.dismiss(); }); },
          [&](const command::SelectScene& wanted) { return call([&] { scenes_.show(wanted.name); }); },
          [&](const command::NextScene& next) { return call([&] { scenes_.show_next(next.direction); }); },
          [&](const command::SelectDevices& wanted) { return call([&] { devices_.choose(wanted); }); },
          [&](const command::NextDevice&) { return call([&] { devices_.choose_next(); }); },
          [&](const command::SaveEditedKernel&) {
            return call([&] { ui_.editor.save = ui_.editor.save || ui_.editor.open; });
          },
          [&](const command::ToggleEditor&) {
            return call([&] { apply(command::ShowKernel{ui_.editor.open ? std::string() : main_kernel()}); });
          },
          [&](const command::ChangeWorkGroup& change) {
            return call([&] { change_work_group(scene, devices_.devices(), change.direction); });
          },
          [&](const command::ToggleParameter& wanted) { return call([&] { toggle_parameter(scene, wanted.name); }); },
          [](const auto&) { return false; }},
      command);
}

// False for commands of other parts.
bool Application::apply_to_edits(const command::Command& command) {
  Scene* const scene = scenes_.shown();
  const auto call = [&](auto&& action) {
    if (scene != nullptr) action(*scene);
    return true;
  };
  return std::visit(
      Overloaded{
          [&](const command::Undo&) { return call([&](Scene& s) { edits_.take(s, EditDirection::undo); }); },
          [&](const command::Redo&) { return call([&](Scene& s) { edits_.take(s, EditDirection::redo); }); },
          [&](const command::ResetParameter& reset) { return call([&](Scene& s) { edits_.reset(s, reset.name); }); },
          [&](const command::UndoAndRewind&) { return call([&](Scene& s) { edits_.undo_and_rewind(s); }); },
          [&](const command::KeepChange&) { return call([&](Scene& s) { edits_.keep(s); }); },
          [](const auto&) { return false; }},
      command);
}

// False for commands of other parts.
bool Application::apply_to_files(const command::Command& command) {
  const auto& left = autosave_.left();
  if (std::holds_alternative<command::SaveScreenshot>(command)) {
    saver_.request_screenshot();
  } else if (std::holds_alternative<command::CopyCommandLine>(command)) {
    copy_command_line();
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

void Application::change_scale(int direction) {
  constexpr float step = 0.1F;
  const float steps = std::round(ui_.look.scale / step) + static_cast<float>(direction);
  ui_.look.scale = direction == 0 ? 1 : std::clamp(steps * step, ui::Look::least_scale, ui::Look::most_scale);
}

// One thing at a time, what lies in front first. A text field and a list that is open have closed themselves.
void Application::escape() {
  if (screen_.imgui().has_keyboard()) return;
  if (std::exchange(ui_.help_open, false)) return;
  if (ui_.editor.open) return apply(command::ShowKernel{});
  if (ui_.scene_pane > 0 && scenes_.shown() != nullptr) return scenes_.shown()->apply(command::Escape{});
  if (std::exchange(ui_.timeline.open, false)) return;
  if (screen_.window().full_screen()) screen_.window().toggle_full_screen();
}

// The file of the kernel that the scene is about; where the scene names none, of the one that takes most of the time.
std::string Application::main_kernel() const {
  if (scenes_.shown() == nullptr) return {};
  const std::string named = scenes_.shown()->snapshot().work_group.kernel;
  return named.empty() ? tools_.kernels().file_of_busiest() : tools_.kernels().file_of(named);
}

// ---- files

void Application::open_dropped(std::vector<std::string> paths) {
  dropped_.start([kinds = scenes_.kinds(), paths = std::move(paths)] { return examine_dropped(kinds, paths); });
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
  load_scenes(file.state, scenes_.all());
  document_.take(file.state);
  scenes_.show(file.scene);
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
void Application::tell_edited_kernels(const StateTables& state) {
  const std::string files = document_.take_edited_kernels(state);
  if (!files.empty()) notices_.warn("Edited kernels have computed a part of this state: " + files);
}

WindowState Application::window_state() const {
  const OpenDevices* const open = devices_.devices();
  return {.scene = scenes_.shown() != nullptr ? std::string(scenes_.shown()->kind().name) : std::string(),
          .devices = open != nullptr ? open->devices() : DeviceInfos(),
          .size = screen_.window().size(),
          .vsync = presenter_.vsync()};
}

StateSource Application::copy_of_shown() const {
  const Scene* const scene = scenes_.shown();
  return scene != nullptr ? document_.copy_of_shown(window_state(), *scene) : StateSource();
}

void Application::save_last_picture() {
  const StateSource state = copy_of_shown();
  write_image(options_.screenshot, screen_.read_back(), state ? state_texts(state()) : ImageTexts());
}

void Application::copy_command_line() {
  if (scenes_.shown() == nullptr) return;
  ui::copy_to_clipboard(command_line(*scenes_.shown()));
  notices_.show("Copied the command line that shows this");
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

void Application::remember_window() {
  if (!options_.memory || scenes_.shown() == nullptr) return;
  const glm::ivec4 at = screen_.window().windowed();
  write_window_memory(window_memory_file(), {.size = glm::ivec2(at.z, at.w),
                                             .place = glm::ivec2(at.x, at.y),
                                             .scene = std::string(scenes_.shown()->kind().name),
                                             .look = ui_.look});
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
          .scene = scenes_.shown(),
          .editor = tools_.editor().snapshot(),
          .tuner = tools_.tuner().snapshot(),
          .renderer = screen_.window().renderer(),
          .drawing = screen_.drawing(),
          .measured_seconds = options_.measure,
          .left_session = autosave_.left() ? autosave_.left()->file() : std::filesystem::path()};
}

}  // namespace orrery::shell
