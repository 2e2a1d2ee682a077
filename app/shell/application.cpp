#include "shell/application.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "base/clock.hpp"
#include "base/files/manual.hpp"
#include "base/files/trace_file.hpp"
#include "base/files/unfinished_file.hpp"
#include "base/log.hpp"
#include "base/points/point_format.hpp"
#include "base/text.hpp"
#include "base/work/external_editor.hpp"
#include "base/work/interrupt.hpp"
#include "protocol/path_command.hpp"
#include "shell/devices/relaunch.hpp"
#include "shell/scene_commands.hpp"
#include "ui/clipboard.hpp"

namespace orrery::shell {
namespace {

constexpr double pictures_counted = 2;  // seconds of pictures counted for the panel
constexpr double settling_seconds = 2;  // before --measure: kernel durations become known, and clocks rise

Image part_of(const Image& picture, glm::ivec2 corner, glm::ivec2 size) {
  size = glm::min(size, glm::ivec2(picture.width, picture.height) - corner);
  Image part(static_cast<std::uint32_t>(size.x), static_cast<std::uint32_t>(size.y));
  for (std::uint32_t y = 0; y < part.height; ++y)
    std::copy_n(picture.pixel(static_cast<std::uint32_t>(corner.x), static_cast<std::uint32_t>(corner.y) + y),
                std::size_t{3} * part.width, part.pixel(0, y));
  return part;
}

bool is_action(const InputEvent& event) {
  const auto* const button = std::get_if<MouseButton>(&event);
  const auto* const key = std::get_if<KeyEvent>(&event);
  return std::holds_alternative<MouseWheel>(event) || (button != nullptr && button->pressed) ||
         (key != nullptr && key->what == KeyEvent::What::pressed);
}

std::vector<std::string_view> labels_of(const Scene& scene) {
  std::vector<std::string_view> labels;
  for (const ParameterView& each : scene.table())
    if (!each.info.label.empty() && each.info.place != ParameterPlace::law) labels.push_back(each.info.label);
  return labels;
}

bool is_state_name(const std::filesystem::path& path) {
  return path.extension() == ".toml" || path.extension() == archive_extension;
}

bool is_digit(const KeyEvent& event) {
  return event.key >= key('0') && event.key <= key('9') && !event.modifiers.control && !event.modifiers.alt;
}

}  // namespace

Application::Application(SceneKinds kinds, WindowOptions options, double launched, const StateTables& unknown)
    : options_(std::move(options)),
      screen_(options_.size, options_.vsync, tools_.timeline().timeline()),
      presenter_(screen_.window(), tools_.timeline().timeline(), options_.vsync, launched,
                 [this] { return feed_scene(); }),
      scenes_(kinds) {
  ui_.hidden = !options_.ui;
  ui_.controls.wanted = channels_.controls.wanted();
  if (options_.memory) {
    ui_.look = options_.memory->look;
    ui_.first_start = options_.memory->scene.empty();  // set by every interactive run
    if (options_.memory->place) screen_.window().move_to(*options_.memory->place);
  }
  document_.take(unknown);
  tell_edited_kernels(unknown);
  if (!options_.open.empty()) open_dropped({options_.open.string()});
  if (!options_.tour.empty()) open_dropped({options_.tour.string()});
  if (const std::string names = drafts_.offer(ui_.editor); !names.empty())
    notices_.show("Unsaved kernel text of an earlier session: " + names + ". Press E to see it");
  browser_.set_document(is_state_name(options_.state) ? options_.state.string() : std::string());
  if (options_.continues) {
    autosave_.continue_from_last();
    notices_.show("Continued from your last session", {},
                  NoticeAction{"Start fresh", "Reset all scenes   (Ctrl+Z brings them back)", command::StartFresh{}});
  }
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
    if (frame()) break;
    presenter_.wait_for_next();
  }
  const bool at_rest = write_files_on_leaving();
  saver_.finish();
  if (const auto failed = recorder_.finish(); failed && !options_.record.empty()) record_fault_ = failed;
  browser_.leave();
  remember_window();
  drafts_.leave(ui_.editor);
  tools_.leave();
  for (const auto& scene : scenes_.all()) (void)scene->leave(Leaving::files_only);
  if (record_fault_) std::rethrow_exception(record_fault_);
  if (!to_record_.empty()) throw failure("cannot write " + to_record_.string() + ": no picture was computed");
  if (at_rest && !tools_.busy() && !devices_.busy() && !workload_.compiling() && Tidier::finish(0)) {
    devices_.close();
    if (Tidier::finish(1)) return;
  }
  remove_unfinished_files();
  std::fflush(stdout);       // of all files, another thread may hold one: standard input, while it waits for a request
  std::_Exit(EXIT_SUCCESS);  // without waiting for unwanted results
}

bool Application::is_last_frame() const {
  const FrameClock& clock = presenter_.clock();
  const double now = now_seconds();
  // Frames without a computed picture count only if none will follow.
  const bool hopeless = !devices_.expected() || devices_.is_silent() || !notices_.device_fault().empty();
  const bool counts = clock.first_running() || hopeless;
  return (options_.frames > 0 && counts && clock.counted() + 1 >= options_.frames) ||
         (options_.seconds > 0 && clock.since_launch(now) >= options_.seconds) ||
         (options_.measure > 0 && clock.running_for(now) >= settling_seconds + options_.measure);
}

// True after the last one.
bool Application::frame() {
  TimelineKeeper& timeline = tools_.timeline();
  Window& window = screen_.window();
  timeline.follow(ui_.timeline.open && !ui_.hidden, ui_.timeline.paused, now_seconds());
  take_input();
  update_scene();
  note_running();
  follow_recorder();
  const bool last = is_last_frame();
  if (must_draw(last)) {
    redraw_.drawn(now_seconds());
    draw(keeps_picture(last),
         draws_all(last) || !presenter_.clock().first_running() || redraw_.panels_due(now_seconds(), drawing()));
    if (last && !options_.screenshot.empty()) last_picture_ = screen_.read_back();
    if (!awaits_picture() && saver_.take_screenshot_request(FileSaver::Screenshot::whole))
      saver_.save_screenshot(screen_.read_back(), copy_of_shown());
    if (ui_.look.legend) save_picture_alone(viewport()), record(viewport());  // the legend is part of the picture
    keep_preset();
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
  return last;
}

bool Application::must_draw(bool last) const {
  if (screen_.window().minimised()) return keeps_picture(last);
  return draws_all(last) || redraw_.due(now_seconds(), news(), drawing());
}

bool Application::keeps_picture(bool last) const {
  return last || saver_.screenshot_requested() || gallery_.requested() || recorder_.due();
}

// With --frames or without vsync, every frame is drawn.
bool Application::draws_all(bool last) const {
  return keeps_picture(last) || options_.frames > 0 || !presenter_.vsync();
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
  return open != nullptr && is_cpu(open->device()) ? by_busy_processor : by_processor;
}

void Application::take_input() {
  const TimelinePhase phase(tools_.timeline().timeline(), "input");
  // Events are handed over before ImGui's frame begins, because its input must not change within the frame; they are
  // handled within it, when ImGui knows whether the pointer is on a panel. They wait if a frame that was left out has
  // begun.
  screen_.imgui().set_look(ui_.look);
  screen_.imgui().set_keyboard(ui_.keyboard || preview_);
  InputQueue& input = screen_.window().poll();
  if (!input.empty()) {
    redraw_.touched(now_seconds());
    tour_.touched(now_seconds());
  } else if (tour_.due(now_seconds())) {
    // A step that ends before the scene is prepared gets its time again.
    const bool prepared = visible() == nullptr || visible()->snapshot().status.empty();
    prepared ? commands_.push_back(command::StepTour{+1}) : tour_.touched(now_seconds());
  }
  if (!input.empty() && !screen_.imgui().begun()) {
    const std::vector<InputEvent> events = input.take();
    screen_.imgui().take(events);
    screen_.imgui().begin();
    for (const InputEvent& event : events) std::visit([this](const auto& e) { handle(e); }, event);
    if (ui_.first_start && std::ranges::any_of(events, is_action)) {
      ui_.first_start = false;
      remember_window();
    }
  }
  const double now = now_seconds();
  follow_devices(now);
  follow_kernels();
  tidier_.follow(tools_.watch_builds(devices_.devices(), scenes_.shown(), now), now);
  take_dropped();
  follow_saver();
  follow_remote();
  if (browser_.follow()) redraw_.touched(now);
  for (const command::Command& command : std::exchange(commands_, {})) apply(command);
  edits_.follow(screen_.imgui().holds_item());
}

// Runs kernels soon after they are saved.
void Application::follow_kernels() {
  const double now = now_seconds();
  KernelEditor& editor = tools_.editor();
  OpenDevices* const open = devices_.devices();
  if (scenes_.shown() != nullptr) editor.judge(notices_.scene_fault(), scenes_.shown()->status().compiling, now);
  const bool changed =
      editor.follow(open != nullptr ? open->context().members : std::span<ProgramLibrary* const>(), now);
  if (const std::string fault = drafts_.follow(ui_.editor, now); !fault.empty())
    notices_.fail("Could not keep the text of the kernel editor", fault);
  if (std::string message = editor.message(); !message.empty()) notices_.show(std::move(message));
  if (std::string fault = editor.fault(); !fault.empty()) notices_.fail("The kernel editor failed", std::move(fault));
  if (!changed) return;
  const auto& edits = kernel_sources()->edits();
  for (const auto& [file, text] : edits) document_.add_edited_kernel(file);
  for (const auto& scene : scenes_.all()) scene->apply(command::ReloadKernels{});
  tools_.tuner().sources_changed();
}

// Opening a device takes a driver's time, in which nothing is presented: pictures that need no device are shown before.
void Application::follow_devices(double now) {
  constexpr double longest = 0.5;  // seconds after the first frame
  const FrameClock& clock = presenter_.clock();
  if (clock.count() == 0) return;
  const bool soon =
      devices_.devices() == nullptr && scenes_.shown() != nullptr && scenes_.shown()->status().sketch_coming;
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
    Viewport view = viewport();
    if (recorder_.recording()) {
      view.film = Recorder::seconds_of(1);
      // A minimised window has no picture to record.
      view.pictures = recorder_.has_room() && !screen_.window().minimised() ? 1 : 0;
    }
    scene->update(now_seconds(), presenter_.clock().last_frame(), view);
    if (auto edit = scene->take_edit()) edits_.note_edit(*scene, std::move(edit));
    if (std::string notice = scene->take_notice(); !notice.empty()) notices_.show(std::move(notice));
    if (open != nullptr) tools_.tuner().mark_scene(open->queue());
  } catch (const std::exception& error) {
    devices_.fail(as_error(error));
  }
}

void Application::note_running() {
  FrameClock& clock = presenter_.clock();
  if (clock.first_running() || devices_.devices() == nullptr || visible() == nullptr) return;
  if (opener_.status().empty() && visible()->snapshot().status.empty()) clock.note_running(now_seconds());
}

// Returns the seconds until the next call; kernels on this processor need the time between.
double Application::feed_scene() {
  constexpr double soon = 0.001, later = 0.002, at_rest = 0.05;
  const OpenDevices* const open = devices_.devices();
  if (open == nullptr || scenes_.shown() == nullptr) return at_rest;
  try {
    if (!scenes_.shown()->feed(now_seconds())) return at_rest;
  } catch (const std::exception& error) {
    devices_.fail(as_error(error));
  }
  return is_cpu(open->device()) ? later : soon;
}

void Application::draw(bool kept, bool panels) {
  Timeline& timeline = tools_.timeline().timeline();
  Viewport view = [&] {
    const TimelinePhase phase(timeline, "size");
    return viewport();
  }();
  view.kept = kept;
  const bool moving = news() == News::motion;
  draw_scene(view);
  if (!ui_.look.legend) save_picture_alone(view), record(view);
  const Scene* const scene = visible();
  const double now = now_seconds();
  if (scene != nullptr && scene->status().shows_picture) presenter_.clock().note_picture(now);
  const TimelinePhase phase(timeline, "panels");
  if (!panels && screen_.draw_panels_again(view)) return;
  screen_.imgui().begin();
  const WindowSnapshot seen = snapshot();
  follow_title(seen.scene);
  const std::string preparing = devices_.devices() == nullptr ? "devices" : seen.scene.status;
  screen_.draw_panels(seen, ui_, commands_, view);
  save_drawn_plot();
  redraw_.drawn_panels(now_seconds());
  // The next frame executes the panels' new commands: until then, reports motion.
  channels_.controls.follow(
      ui_, seen, {screen_.imgui().pointer(), preparing, screen_.imgui().has_keyboard(), moving || !commands_.empty()});
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
  for (const auto& scene : scenes_.all()) {
    s.scenes.push_back({scene->kind().name, scene->kind().title, scene->kind().keys, scene->kind().actions});
    if (scene.get() != scenes_.shown() && ui_.search.open) s.scenes.back().parameters = labels_of(*scene);
  }
  s.keys = window_keys();
  if (const Scene* const scene = scenes_.shown()) {
    s.scene = scene->snapshot();
    edits_.mark_usual(s.scene);
    s.scene.tuning = scene->kind().tuning;
  }
  if (std::string status = saver_.status(); !status.empty()) s.scene.status = std::move(status);
  if (std::string status = opener_.status(); !status.empty()) {
    s.scene.status = std::move(status);
    s.scene.cancel_reading = "Keep what is shown";
  }
  notices_.set_scene_fault(s.scene.can_rewind ? std::string() : s.scene.fault);
  devices_.fill(s);
  tools_.fill(s, devices_.devices(), now_seconds());
  ui_.offers.abandon = devices_.is_silent();
  offer_larger_scale();
  ui_.offers.give_up = tools_.offers_cancel();
  if (const auto& left = autosave_.left())
    s.left_session = {.when = left->when, .report = left->report, .copied = !left->state.empty()};
  s.edits = edits_.snapshot(s.scene);
  s.files = browser_.snapshot();
  s.files.keeps_past = scenes_.shown() != nullptr && scenes_.shown()->kind().past != nullptr;
  if (preview_) s.files.preview = preview_->preview;
  static const std::vector<TourEntry> tours = known_tours();
  s.tours = tours;
  if (ui_.help.open) {
    s.manual = &manual_pages();
    s.other_letters = Window::other_letters();
  }
  s.tour = tour_.snapshot(now_seconds());
  s.presets = gallery_.cards(s.scene.name);
  s.recording = recorder_.snapshot();
  if (const Scene* const scene = visible())
    s.film_to_here = Recorder::seconds_of(Recorder::frames_to_here(scene->status()));
  s.failures = notices_.failures();
  s.notice = notices_.notice();
  return s;
}

// A run without memory shows no question: it is automated.
void Application::offer_larger_scale() {
  const Window& window = screen_.window();
  ui_.offers.larger_scale.reset();
  if (options_.memory && !ui_.look.scale_answered)
    ui_.offers.larger_scale = larger_scale(window.display(), window.scale(), ui_.look.scale, ui::Look::most_scale);
}

// The title names a recording, the subject, the scene and the program. A moving view shows its destination, because
// running numbers are unreadable.
void Application::follow_title(const SceneSnapshot& seen) {
  const Scene* const scene = scenes_.shown();
  std::string title = recorder_.recording() ? "Recording – " : "";
  if (!seen.subject.empty()) title += seen.subject + " – ";
  if (scene != nullptr) title += std::string(scene->kind().title) + " – ";
  title += kernel_sources()->edits().empty() ? "Orrery" : "Orrery (modified kernels)";
  if (title == title_) return;
  title_ = title;
  screen_.window().set_title(title_);
}

// Saves every few seconds, so that a crash loses no more.
void Application::autosave() {
  if (const auto fault = autosave_.poll()) notices_.fail("The session is not saved", *fault);
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
    scenes_.shown()->input(event);
  }
}

void Application::handle(const MouseMove& event) { send(pointer_.handle(event, screen_.imgui().has_pointer())); }

void Application::handle(const MouseButton& event) {
  send(pointer_.handle(event, screen_.imgui().has_pointer(), event.when));
}

void Application::handle(const MouseWheel& event) {
  if (scenes_.shown() == nullptr || screen_.imgui().has_pointer()) return;
  scenes_.shown()->input(ScrollEvent{pointer_.position() - top_left(viewport()), event.steps, event.modifiers.shift,
                                     event.modifiers.control});
}

void Application::handle(const KeyEvent& event) {
  if (event.what == KeyEvent::What::released) return;
  const KeyBinding* binding = find_binding(window_keys(), event.key, event.modifiers);
  if (binding == nullptr && scenes_.shown() != nullptr)
    binding = find_binding(scenes_.shown()->kind().keys, event.key, event.modifiers);
  // The search's field takes the keyboard a frame after it is open.
  const bool typing =
      screen_.imgui().has_keyboard() || ui_.keyboard || ui_.search.open || ui_.choice.is_open() || preview_;
  if (event.key == Key::remove && !typing && ui_.path.over)
    return commands_.push_back(command::of_scene(command::RemoveKeyframe{*ui_.path.over}));
  if (binding == nullptr || (typing && !binding->while_typing)) return;
  if (!typing && ui_.value_clicked && is_digit(event))
    return notices_.show("Double-click a value to type a number. Click on the picture for the keys 1 … 9");
  commands_.push_back(*binding->action);
}

void Application::handle(const FileDrop& event) {
  if (event.paths.empty()) return;
  notices_.show("Reading " + short_name(event.paths.front()));
  open_dropped(event.paths);
}

// ---- files

void Application::open_dropped(std::vector<std::string> paths) {
  preview_.reset();
  if (!paths.empty()) opener_.open(scenes_.kinds(), std::move(paths));
}

void Application::merge_dropped(std::vector<std::string> paths) {
  if (const auto previewed = std::exchange(preview_, {}); previewed && paths.empty()) paths = previewed->mergeable;
  if (paths.empty()) return;
  notices_.show("Merging " + std::to_string(paths.size()) + " files");
  opener_.merge(scenes_.kinds(), std::move(paths));
}

void Application::take_dropped() {
  if (presenter_.clock().count() == 0) return;  // --open: scenes place their cameras once their width is known
  try {
    auto dropped = opener_.poll();
    if (!dropped) return;
    if (!dropped->preview || !options_.memory) return take(*dropped);  // automated runs get no answer
    preview_ = std::move(dropped);
    notices_.show({});  // "Reading stars.csv"
  } catch (const std::exception& error) {
    notices_.fail("Could not open " + opener_.name(), as_error(error).what());
  }
}

void Application::answer_preview(bool load) {
  const std::optional<DroppedFile> answered = std::exchange(preview_, {});
  if (answered && load) take(*answered);
}

// The file's table [window] tells only which scene to show: size and devices stay.
void Application::take(const DroppedFile& file) {
  if (file.tour) return begin_tour(*file.tour);
  const Opening opening = file.is_return ? Opening() : opening_of(file);
  const auto preset = file.state.find(std::string(preset_table));
  for (const auto& [name, section] : file.state) {
    Scene* const scene = find_scene(scenes_.all(), name);
    if (scene == nullptr) continue;
    // A preset is a new beginning.
    const bool begins = file.is_fresh || (preset != file.state.end() && name == file.scene);
    const bool whole = file.is_return || !shown_scene(file.state).empty();
    const bool at_beginning = value_of(section, "step") == nullptr;
    // A simulation may have moved before its first state is on the host; only simulations can be paused.
    const bool has_moved = scene->status().moment != nullptr || value_of(section, "paused") != nullptr;
    if (begins || (whole && at_beginning && has_moved)) scene->apply(command::Reset{});
    if (begins || file.is_return) scene->apply(command::ResetCamera{});  // the file has it if it differs
  }
  document_.take(load_scenes(file.state, scenes_.all(), {file.scene, file.content}).tables);
  scenes_.show(file.scene);
  if (Scene* const scene = find_scene(scenes_.all(), file.scene); scene != nullptr && preset != file.state.end())
    if (const auto own = file.state.find(file.scene); own != file.state.end()) edits_.begin_from(*scene, own->second);
  if (file.is_return) return notices_.show(file.contents);
  if (scenes_.shown() != nullptr) edits_.note_opening(*scenes_.shown(), opening);
  if (file.is_fresh) return notices_.show("Started fresh. Ctrl+Z brings the last session back");
  const bool left = autosave_.left() && autosave_.left()->state == file.path;
  std::string notice = left ? "Restored the session of " + autosave_.left()->when : "Loaded " + short_name(file.path);
  if (!file.contents.empty()) notice = file.contents + " from " + short_name(file.path);
  if (left) {
    autosave_.continue_from_left();
  } else if (preset == file.state.end()) {
    browser_.remember(file.path);
    if (file.is_session) browser_.set_document(is_state_name(file.path) ? file.path : std::string());
  }
  if (const std::string apart = kept_apart(file.state); !apart.empty())
    notice += ": only its settings. It was saved without " + apart;
  for (const std::string& unknown : file.unknown) {
    log(Level::warning, file.path + ": unknown " + unknown + ", kept");
    notice += "; unknown " + unknown;
  }
  if (!file.left_out.empty()) notice += ". Not opened, because one file is opened at a time: " + file.left_out;
  std::optional<NoticeAction> offer;
  if (!file.mergeable.empty())
    offer =
        NoticeAction{"Merge all " + std::to_string(file.mergeable.size()) + " files",
                     "Load the bodies of all of them together, from a new file", command::MergeFiles{file.mergeable}};
  notices_.show(std::move(notice), {}, std::move(offer));
  tell_edited_kernels(file.state);
}

// Copies the scenes that the file changes, before and after opening, for undo.
Opening Application::opening_of(const DroppedFile& file) const {
  const std::string shown = scenes_.shown() != nullptr ? std::string(scenes_.shown()->kind().name) : std::string();
  std::vector<std::pair<std::string, std::function<StateSection()>>> copies;
  for (const auto& [name, section] : file.state)
    if (const Scene* scene = find_scene(scenes_.all(), name)) copies.emplace_back(name, scene->copy());
  const auto before = [copies = std::move(copies)] {
    StateTables state;
    for (const auto& [name, copy] : copies) state[name] = copy();
    return state;
  };
  const auto after = [state = std::make_shared<const StateTables>(file.state)] { return *state; };
  return {short_name(file.path), {shown, before}, {file.scene.empty() ? shown : file.scene, after}};
}

// The restored state may be large: its text is made on a worker thread.
void Application::step(Scene& scene, EditDirection direction) {
  if (edits_.awaits(scene, direction)) {
    if (direction == EditDirection::undo) return commands_.push_back(command::Undo{});
    return commands_.push_back(command::Redo{});
  }
  const std::shared_ptr<const Opening> opening = edits_.take(scene, direction);
  if (!opening) return;
  opener_.bring_back([opening, direction] {
    const bool undoes = direction == EditDirection::undo;
    const Opening::Side& side = undoes ? opening->before : opening->after;
    return DroppedFile{.path = opening->name,
                       .state = side.state(),
                       .scene = side.scene,
                       .contents = (undoes ? "Undone.   Open " : "Redone.   Open ") + opening->name,
                       .unknown = {},
                       .is_return = true};
  });
}

void Application::ask(ui::FileQuestion question) {
  command::Commands commands;
  ui_.choice.ask(std::move(question), browser_.first_folder(), commands);
  browser_.look_at_recent_files();
  for (const command::Command& each : commands) apply(each);
}

void Application::ask_to_open() {
  const FilesSnapshot& files = browser_.snapshot();
  ask({.id = ui::open_question,
       .title = "Open a file",
       .verb = "Open",
       .extensions = files.openable,
       .kinds = "Opens: " + files.openable_text});
}

void Application::ask_to_save() {
  if (scenes_.shown() == nullptr) return;
  const std::string& document = browser_.snapshot().document;
  const bool large = autosave_.wrote_archive();
  const std::string extension = large ? archive_extension : ".toml";
  const bool has_points = scenes_.shown()->kind().points != nullptr;
  std::vector<std::string> extensions{extension, large ? ".toml" : archive_extension};
  if (has_points)
    for (const PointFormat& format : point_formats()) extensions.emplace_back(format.extension);
  ask({.id = ui::save_question,
       .title = "Save the state",
       .verb = "Save",
       .saves = true,
       .name = document.empty() ? std::string(scenes_.shown()->kind().name) + extension : short_name(document),
       .extensions = std::move(extensions),
       .kinds = "Saves all scenes; open it to continue. Text (.toml), or an archive of arrays (.npz) for many bodies" +
                (has_points ? ". For other programs, only the points of this scene: " + point_extensions()
                            : std::string())});
}

void Application::ask_to_save_past() {
  if (scenes_.shown() == nullptr || scenes_.shown()->kind().past == nullptr) return;
  const SceneKind& kind = scenes_.shown()->kind();
  const std::string extension(kind.past_extension);
  ask({.id = ui::save_question,
       .title = "Save the past",
       .verb = "Save",
       .saves = true,
       .name = std::string(kind.name) + extension,
       .extensions = {extension},
       .kinds = "Saves the kept moments of this run; open it to move through them or to continue"});
}

void Application::save_of_scene(const std::string& path, SceneWriter writer, const std::string& missing) {
  if (!writer) return notices_.fail("Nothing was saved", missing);
  saver_.save_of_scene(path, std::move(writer));
}

void Application::save_state(const std::string& path) {
  const Scene* const scene = scenes_.shown();
  const bool is_past = scene != nullptr && scene->kind().past != nullptr &&
                       std::filesystem::path(path).extension() == scene->kind().past_extension;
  if (is_past) return save_of_scene(path, scene->kind().past(*scene), "No moment of this run is kept yet");
  if (scene != nullptr && scene->kind().points != nullptr && find_point_format(path) != nullptr)
    return save_of_scene(path, scene->kind().points(*scene), "The scene is still being prepared");
  saver_.save_state(path, document_.copy(window_state(), scenes_.all()), !channels_.remote.awaits(path));
}

void Application::tell_of_saved(const SavedFile& saved) {
  if (saved.fault) return notices_.fail(*saved.fault, "The scene is unchanged: save again, or in another folder");
  const std::string path = saved.path.string();
  if (saved.is_document) {
    browser_.remember(path);
    browser_.set_document(path);
  }
  if (saved.left_out.empty()) return notices_.show("Saved " + path, path);
  notices_.show("Saved " + path + " with only the settings. Too large for a picture: " + saved.left_out, path,
                NoticeAction{"Save state", "Save all of the state as a file   (Ctrl+S)", command::AskToSave{}});
}

void Application::follow_saver() {
  try {
    if (const auto saved = saver_.poll(); saved && !channels_.remote.saved(*saved)) tell_of_saved(*saved);
    gallery_.update();
    if (auto fault = showing_.poll(); fault && !fault->empty())
      notices_.fail("Could not show the folder", std::move(*fault));
  } catch (const std::exception& error) {
    notices_.fail(as_error(error), "The scene is unchanged: save again, or in another folder");
  }
}

void Application::begin_tour(const Tour& tour) {
  tour_.begin(tour, {document_.copy(window_state(), scenes_.all()), window_state().scene}, now_seconds());
  go_to(beginning_of(tour, scenes_.all()));
}

// Applies the step as one undoable change, kept even if it ruins a simulation.
void Application::go_to(const TourStep& step) {
  scenes_.show(step.scene);
  Scene& scene = *scenes_.shown();
  edits_.make(scene, false, [&] {
    load_scenes(step.state, scenes_.all());
    if (step.restart) scene.apply(command::Reset{});
  });
  edits_.keep(scene);
}

void Application::leave_tour(bool back) {
  const auto before = tour_.leave(back);
  if (!before) return;
  for (const auto& [name, section] : before->first)
    if (Scene* const scene = find_scene(scenes_.all(), name)) scene->apply(command::ResetCamera{});
  load_scenes(before->first, scenes_.all());
  scenes_.show(before->second);
}

// Marks the document as partly computed by edited kernels, and warns.
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

// True while the copy of a paused scene is not yet the shown state.
bool Application::awaits_copy() const {
  const Scene* const scene = visible();
  return scene != nullptr && scene->status().awaits_copy;
}

// True while the picture does not match the state to be saved in it.
bool Application::awaits_picture() const {
  const Scene* const scene = visible();
  return awaits_copy() || (scene != nullptr && scene->status().shows_earlier);
}

StateSource Application::copy_of_shown() const {
  const Scene* const scene = scenes_.shown();
  return scene != nullptr ? document_.copy_of_shown(window_state(), *scene) : StateSource();
}

void Application::write_last_picture() {
  const StateSource state = copy_of_shown();
  PictureState carried = state ? picture_state(state()) : PictureState();
  if (!carried.left_out.empty())
    log(Level::warning, options_.screenshot.string() + " has only the settings; too large for it: " + carried.left_out);
  write_image(options_.screenshot, *last_picture_, carried.texts, std::move(carried.attachment));
}

// Draws the plot again alone, without windows over it.
void Application::save_drawn_plot() {
  if (!ui_.large_plot) return;
  const auto drawing = std::exchange(ui_.large_plot->drawing, {});
  if (drawing) saver_.save_plot(ui_.large_plot->title, screen_.picture_of(*drawing, ui_.large_plot->area));
}

void Application::copy_value(const command::CopyValue& value) {
  ui::copy_to_clipboard(value.text);
  notices_.show("Copied " + (value.name.empty() ? "" : value.name + ": ") + value.text);
}

void Application::open_preset(int number) {
  const auto presets = scenes_.shown() != nullptr ? gallery_.cards(scenes_.shown()->kind().name) : nullptr;
  const auto place = static_cast<std::size_t>(number - 1);
  if (presets && place < presets->size()) open_dropped({(*presets)[place].id});
}

// Saves the scene's picture without panels.
void Application::save_picture_alone(const Viewport& view) {
  if (scenes_.shown() == nullptr || awaits_picture()) return;
  if (!saver_.take_screenshot_request(FileSaver::Screenshot::without_panels)) return;
  saver_.save_screenshot(part_of(screen_.read_back(), top_left(view), view.size), copy_of_shown());
}

void Application::toggle_recording() {
  if (recorder_.recording()) return recorder_.end();
  if (visible() == nullptr) return notices_.show("There is no picture to record yet");
  recorder_.begin(viewport().size, {});
}

// Records the same run again, up to the present moment.
void Application::record_from_beginning() {
  const SceneStatus seen = visible() != nullptr ? visible()->status() : SceneStatus();
  if (seen.simulation && seen.simulation->edited)
    return notices_.show("This run was changed by hand and cannot be repeated from its beginning");
  const std::int64_t frames = Recorder::frames_to_here(seen);
  if (frames == 0) return notices_.show("There is no run to record yet");
  recorder_.begin(viewport().size, {.frames = frames});
  apply(command::Reset{});
  apply(command::SetPaused{false});
}

void Application::record(const Viewport& view) {
  if (recorder_.due()) recorder_.copy(view);
}

void Application::follow_recorder() {
  try {
    if (!to_record_.empty() && presenter_.clock().first_running())
      recorder_.begin(viewport().size, {.out = std::exchange(to_record_, {})});
    if (const auto film = recorder_.poll()) tell_of(*film);
  } catch (const std::exception& error) {
    if (!options_.record.empty()) record_fault_ = std::current_exception();
    notices_.fail(as_error(error), "The recording is lost; the scene continues");
  }
  if (!recorder_.recording() || screen_.window().minimised()) return;
  const Scene* const scene = visible();
  recorder_.follow(scene != nullptr ? scene->status() : SceneStatus(), news(), now_seconds());
}

void Application::tell_of(const RecordedFilm& film) {
  if (film.frames == 0) return notices_.show("Nothing was recorded");
  const std::string path = film.path.string();
  const bool is_file = film.path.has_extension();
  notices_.show((film.ended_by.empty() ? "" : film.ended_by + ", and the film ended. ") + "Saved " + path + ": " +
                    shortest(std::round(10 * Recorder::seconds_of(film.frames)) / 10) + " s" +
                    (is_file ? "" : ", as numbered pictures; install ffmpeg for a film"),
                path);
}

void Application::keep_preset() {
  const Scene* const scene = scenes_.shown();
  if (!gallery_.requested() || scene == nullptr || awaits_picture()) return;
  try {
    const Viewport view = viewport();
    gallery_.keep(scene->kind().name, part_of(screen_.read_back(), top_left(view), view.size), copy_of_shown());
  } catch (const Error& error) {
    notices_.fail(error);
  }
}

void Application::copy_command_line() {
  if (scenes_.shown() == nullptr) return;
  ui::copy_to_clipboard(command_line(*scenes_.shown()));
  notices_.show("Command line copied");
}

// ---- the end

// Everything made in OpenGL is lost, as is everything in OpenCL that was shared with it: only another process can draw.
void Application::restart_after_reset() {
  log(Level::error, "the graphics driver has been reset");
  recorder_.cut();  // the successor must not replace this film
  (void)devices_.copy_to_host();
  std::filesystem::path file = autosave_.for_successor();
  if (file.empty()) file = std::filesystem::temp_directory_path() / "orrery-after-reset.toml";
  write_session(file, state());
  const double lived = presenter_.clock().since_launch(now_seconds());
  try {
    relaunch(arguments_to_go_on(options_, file, presenter_.clock().counted(), lived), lived);
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

// Writes all files, even if some fail.
bool Application::write_files_on_leaving() {
  std::exception_ptr first;
  const auto write = [&](bool wanted, auto&& file) {
    try {
      if (wanted) file();
    } catch (const std::exception& error) {
      log(Level::error, error.what());
      if (!first) first = std::current_exception();
    }
  };
  // Statistics come first, because writing a large picture takes seconds.
  write(!options_.stats.empty(), [&] { write_stats(options_.stats, stats()); });
  const TimelineView seen =
      options_.trace.empty() ? TimelineView{} : tools_.timeline().timeline().view();  // before the state is copied
  const bool keeps = options_.memory.has_value() && scenes_.shown() != nullptr;
  const bool copies = keeps || last_picture_ || !options_.save_state.empty();
  const bool at_rest = !copies || devices_.copy_to_host();
  write(last_picture_.has_value(), [&] { write_last_picture(); });
  write(!options_.save_state.empty(), [&] { write_state(options_.save_state, state()); });
  write(true, [&] { autosave_.leave(keeps ? StateSource([&] { return state(); }) : StateSource()); });
  write(!options_.trace.empty(), [&] { write_trace(options_.trace, seen); });
  if (first) std::rethrow_exception(first);
  return at_rest;
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
