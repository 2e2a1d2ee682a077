#include <algorithm>
#include <cmath>

#include "shell/application.hpp"
#include "shell/scene_commands.hpp"

namespace orrery::shell {

/// Executes commands: one overload for each.
struct Application::Route {
  Application& app;

  // ---- the window

  void operator()(const command::ToggleHelp&) const { flip(app.ui_.help.open); }
  void operator()(const command::ToggleSearch&) const { flip(app.ui_.search.open); }
  void operator()(const command::TogglePanels&) const { flip(app.ui_.hidden); }
  void operator()(const command::ToggleKeyboard&) const {
    flip(app.ui_.keyboard);
    if (app.ui_.keyboard) app.ui_.hidden = app.ui_.collapsed = false;
  }
  void operator()(const command::ToggleTimeline&) const { flip(app.ui_.timeline.open); }
  void operator()(const command::ToggleLegend&) const { flip(app.ui_.look.legend); }
  void operator()(const command::ToggleTheme&) const {
    app.ui_.look.theme = app.ui_.look.theme == ui::Theme::dark ? ui::Theme::light : ui::Theme::dark;
  }
  void operator()(const command::ToggleFullScreen&) const { app.screen_.window().toggle_full_screen(); }
  void operator()(const command::ToggleEditor&) const { app.toggle_editor(); }
  void operator()(const command::ChangeScale& change) const { app.change_scale(change.direction); }
  void operator()(const command::AnswerScale& answer) const {
    if (answer.larger) app.ui_.look.scale = app.ui_.offers.larger_scale.value_or(app.ui_.look.scale);
    app.ui_.look.scale_answered = true;
  }
  void operator()(const command::SetVsync& vsync) const { app.presenter_.set_vsync(vsync.on); }
  void operator()(const command::DismissMessage& passed) const { app.notices_.pass(passed.notice); }
  void operator()(const command::DismissFault& read) const { app.notices_.dismiss(read.title); }
  void operator()(const command::SelectScene& wanted) const { app.scenes_.show(wanted.name); }
  void operator()(const command::NextScene& next) const { app.scenes_.show_next(next.direction); }
  void operator()(const command::CopyValue& value) const { app.copy_value(value); }
  void operator()(const command::CopyCommandLine&) const { app.copy_command_line(); }
  void operator()(const command::Escape&) const { app.escape(); }
  void operator()(const command::Quit&) const { app.screen_.window().request_close(); }

  // ---- files

  void operator()(const command::AskToOpen&) const { app.ask_to_open(); }
  void operator()(const command::AskToSave& ask) const { ask.past ? app.ask_to_save_past() : app.ask_to_save(); }
  void operator()(const command::Save&) const {
    const std::string& document = app.browser_.snapshot().document;
    if (app.ui_.editor.open)
      app.ui_.editor.save = true;
    else
      document.empty() ? app.ask_to_save() : (*this)(command::SaveState{document});
  }
  void operator()(const command::SaveState& state) const {
    app.awaits_copy() ? app.commands_.push_back(state) : app.save_state(state.path);
  }
  void operator()(const command::SaveScreenshot& save) const { app.saver_.request_screenshot(save.panels); }
  void operator()(const command::ToggleRecording&) const { app.toggle_recording(); }
  void operator()(const command::RecordFromBeginning&) const { app.record_from_beginning(); }
  void operator()(const command::SaveTable& table) const { app.saver_.save_table(table.name, table.text); }
  void operator()(const command::ExportTimeline&) const { app.saver_.save_trace(app.tools_.timeline().exported()); }
  void operator()(const command::OpenFile& file) const { app.open_dropped({file.path}); }
  void operator()(const command::AnswerPreview& answer) const { app.answer_preview(answer.load); }
  void operator()(const command::MergeFiles& merge) const { app.merge_dropped(merge.paths); }
  void operator()(const command::ListFolder& folder) const { app.browser_.list(folder); }
  void operator()(const command::LookAtRecentFiles&) const { app.browser_.look_at_recent_files(); }
  void operator()(const command::ShowInFolder& file) const {
    app.showing_.start([path = file.path] { return open_folder_of(path); });
  }
  void operator()(const command::OpenPreset& preset) const { app.open_preset(preset.number); }
  void operator()(const command::KeepPreset& preset) const { app.gallery_.request(preset.name); }
  void operator()(const command::DropObject& dropped) const {
    const glm::vec2 at = app.pointer_.position() - top_left(app.viewport());
    with_scene([&](Scene& s) { s.apply(command::DropObject{dropped.object, {at.x, at.y}}); });
  }
  void operator()(const command::RemovePreset& preset) const { app.gallery_.remove(preset.file); }
  void operator()(const command::StartFresh&) const { app.take(fresh_start(app.scenes_.kinds())); }
  void operator()(const command::ForgetSession&) const { app.autosave_.discard_left(); }
  void operator()(const command::RestoreSession&) const {
    const auto& left = app.autosave_.left();
    if (!left || left->state.empty()) return;
    app.notices_.show("Restoring the session of " + left->when);
    app.open_dropped({left->state.string()});
  }
  /// Cancels the scene's own reading, or that of an opened file.
  void operator()(const command::CancelReading& cancel) const {
    if (app.opener_.status().empty()) return to_scene(cancel);
    app.opener_.cancel();
    app.notices_.show("Cancelled; nothing was opened");
  }

  // ---- tours

  void operator()(const command::StepTour& step) const {
    if (const TourStep* next = app.tour_.go(step.direction, now_seconds())) app.go_to(*next);
  }
  void operator()(const command::CloseTour&) const { app.tour_.close(); }
  void operator()(const command::LeaveTour& leave) const { app.leave_tour(leave.back); }

  // ---- undo

  void operator()(const command::Undo&) const {
    with_scene([&](Scene& s) { app.step(s, EditDirection::undo); });
  }
  void operator()(const command::Redo&) const {
    with_scene([&](Scene& s) { app.step(s, EditDirection::redo); });
  }
  void operator()(const command::ResetParameter& reset) const {
    with_scene([&](Scene& s) { app.edits_.reset(s, reset.name); });
  }
  void operator()(const command::UndoAndRewind&) const {
    with_scene([&](Scene& s) { app.edits_.undo_and_rewind(s); });
  }
  void operator()(const command::KeepChange&) const {
    with_scene([&](Scene& s) { app.edits_.keep(s); });
  }

  // ---- devices and tools

  void operator()(const command::SelectDevices& wanted) const {
    edit([&] { app.devices_.choose(wanted); });
  }
  void operator()(const command::NextDevice&) const {
    edit([&] { app.devices_.choose_next(); });
  }
  void operator()(const command::StartTuning& start) const { app.tools_.start(start, app.devices_.devices()); }
  void operator()(const command::CancelTuning&) const { app.tools_.tuner().cancel(); }
  void operator()(const command::LookAtKernel& kernel) const { app.tools_.tuner().look_at(kernel); }
  void operator()(const command::MeasureCeilings&) const { app.tools_.measure_ceilings(app.devices_.devices()); }
  void operator()(const command::Compare& wanted) const {
    with_scene([&](Scene& scene) { app.tools_.compare(wanted, app.devices_, scene); });
  }
  void operator()(const command::CancelComparison&) const { app.tools_.cancel_comparison(); }
  void operator()(const command::ShowKernel& show) const { app.tools_.editor().apply(show); }
  void operator()(const command::SaveKernel& save) const { app.tools_.editor().apply(save); }
  void operator()(const command::RestoreKernel& restore) const { app.tools_.editor().apply(restore); }
  void operator()(const command::UseKeptKernel& use) const { app.tools_.editor().apply(use); }
  void operator()(const command::OpenKernelElsewhere& open) const { app.tools_.editor().apply(open); }
  void operator()(const command::GiveUpBuilding& give_up) const {
    app.tools_.cancel_builds(app.devices_.devices(), app.scenes_.shown());
    app.tools_.editor().apply(give_up);
    to_scene(give_up);
  }

  // ---- the scene

  void operator()(const command::SetParameter& set) const { to_scene(set); }
  void operator()(const command::ToggleParameter& wanted) const {
    edit([&] { toggle_parameter(app.scenes_.shown(), wanted.name); });
  }
  void operator()(const command::ChangeWorkGroup& change) const {
    edit([&] { change_work_group(app.scenes_.shown(), app.devices_.devices(), change.direction); });
  }
  void operator()(const command::ChooseVariant& choice) const {
    edit([&] { with_scene([&](Scene& scene) { app.tools_.choose(choice, scene); }); });
  }
  void operator()(const command::SceneCommand& own) const { to_scene(own); }
  void operator()(const command::SetPaused& set) const { to_scene(set); }
  void operator()(const command::TogglePaused& toggle) const { to_scene(toggle); }
  void operator()(const command::StepOnce& step) const { to_scene(step); }
  void operator()(const command::Reset& reset) const { to_scene(reset); }
  void operator()(const command::Rewind& rewind) const {
    with_scene([&](Scene& scene) {
      if (scene.snapshot().can_rewind) to_scene(rewind);
    });
  }
  void operator()(const command::ReturnTo& to) const { to_scene(to); }
  void operator()(const command::ResetCamera& reset) const { to_scene(reset); }
  void operator()(const command::FitView& fit) const { to_scene(fit); }
  void operator()(const command::MoveView& move) const { to_scene(move); }
  void operator()(const command::ChangePace& pace) const { to_scene(pace); }
  void operator()(const command::ReloadKernels& reload) const { to_scene(reload); }
  void operator()(const command::TakeTuned& take) const { to_scene(take); }

 private:
  static void flip(bool& shown) { shown = !shown; }

  void with_scene(const std::function<void(Scene&)>& action) const {
    if (Scene* const scene = app.scenes_.shown()) action(*scene);
  }
  /// Makes an undoable change.
  void edit(const std::function<void()>& change) const {
    Scene* const scene = app.scenes_.shown();
    if (scene == nullptr) return change();
    app.edits_.make(*scene, app.screen_.imgui().holds_item(), [&] {
      try {
        change();
      } catch (const Error& error) {
        app.notices_.fail(error);
      }
    });
  }
  void to_scene(const command::Command& command) const {
    with_scene([&](Scene& scene) {
      edit([&] { scene.apply(command); });
      if (std::string notice = scene.take_notice(); !notice.empty()) app.notices_.show(std::move(notice));
    });
  }

  template <class Command>
  static constexpr bool has_overload =
      requires { static_cast<void (Route::*)(const Command&) const>(&Route::operator()); };
  template <class... Each>
  static consteval bool leads_each(const std::variant<Each...>*) {
    return (has_overload<Each> && ...);
  }

 public:
  static consteval bool leads_all() { return leads_each(static_cast<const command::AnyCommand*>(nullptr)); }
};

void Application::apply(const command::Command& command) {
  static_assert(Route::leads_all(), "each command has exactly one handler");
  try {
    std::visit(Route{*this}, static_cast<const command::AnyCommand&>(command));
  } catch (const Error& error) {
    notices_.fail(error);
  }
}

void Application::change_scale(int direction) {
  constexpr float step = 0.1F;
  const float steps = std::round(ui_.look.scale / step) + static_cast<float>(direction);
  ui_.look.scale = direction == 0 ? 1 : std::clamp(steps * step, ui::Look::least_scale, ui::Look::most_scale);
}

// Closes one thing at a time, the foremost first. Text fields and lists close themselves.
void Application::escape() {
  if (ui_.choice.is_open()) return;  // the file dialog answers by itself
  if (std::exchange(preview_, {})) return;
  if (screen_.imgui().has_keyboard() || std::exchange(ui_.keyboard, false)) return;
  if (std::exchange(ui_.search.open, false) || std::exchange(ui_.help.open, false)) return;
  if (std::exchange(ui_.large_plot, {})) return;
  if (tour_.shows()) return apply(command::CloseTour{});
  if (tour_.offers()) return apply(command::LeaveTour{});
  if (ui_.editor.open) return apply(command::ShowKernel{});
  if (ui_.measured.pane_closes && scenes_.shown() != nullptr) return scenes_.shown()->apply(command::Escape{});
  if (scenes_.shown() != nullptr && scenes_.shown()->status().in_hand) return scenes_.shown()->apply(command::Escape{});
  if (std::exchange(ui_.timeline.open, false)) return;
  if (screen_.window().full_screen()) screen_.window().toggle_full_screen();
}

// Shows the file of the scene's main kernel; retries each frame until a kernel has run.
void Application::toggle_editor() {
  if (ui_.editor.open) return apply(command::ShowKernel{});
  OpenDevices* const open = devices_.devices();
  const Scene* const scene = scenes_.shown();
  if (open == nullptr || scene == nullptr) return;
  const std::string file = file_to_edit(scene->snapshot().work_group.kernel, open->queue(), open->programs());
  if (file.empty())
    commands_.push_back(command::ToggleEditor{});
  else
    apply(command::ShowKernel{file});
}

}  // namespace orrery::shell
