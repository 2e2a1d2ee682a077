/// The window's program: the frame loop that ties input, scenes, panels and measurements together.
///
/// A frame (DESIGN section 2): collect input and apply commands; let the scene take over what is complete and enqueue
/// its next slice; draw scene and panels; present. Nothing in it waits for a kernel. Main thread.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "base/clock.hpp"
#include "base/files/image.hpp"
#include "base/files/path.hpp"
#include "render/pass_timer.hpp"
#include "scene/scene.hpp"
#include "shell/devices/device_session.hpp"
#include "shell/files/draft_keeper.hpp"
#include "shell/files/dropped_file.hpp"
#include "shell/files/scene_state.hpp"
#include "shell/files/session_keeper.hpp"
#include "shell/frame_clock.hpp"
#include "shell/frame_pacer.hpp"
#include "shell/imgui_layer.hpp"
#include "shell/notices.hpp"
#include "shell/options.hpp"
#include "shell/tidier.hpp"
#include "shell/tools/build_watch.hpp"
#include "shell/tools/ceilings_keeper.hpp"
#include "shell/tools/comparer.hpp"
#include "shell/tools/kernel_editor.hpp"
#include "shell/tools/timeline_keeper.hpp"
#include "shell/tools/tuner.hpp"
#include "shell/window.hpp"
#include "shell/workload.hpp"
#include "ui/panels.hpp"

namespace orrery::shell {

class Application {
 public:
  /// Opens the window. `launched` is when the process began (now_seconds), for the time to the first frame; `loaded`
  /// the state that the scenes started from, whose unknown keys are kept.
  Application(SceneKinds kinds, WindowOptions options, double launched, State loaded = {});
  ~Application();

  /// Scenes are shown as tabs in this order. Before run().
  void add(std::unique_ptr<Scene> scene);
  /// Until the user leaves or the frames asked for are presented. Throws when a file asked for cannot be written.
  void run();

 private:
  bool is_last_frame() const;
  void frame(bool last);
  void take_input();
  void pace();
  void present();
  void wait_until(double time, const char* phase_name);

  // Devices
  void follow_kernels();
  void note_edited_kernels(const State& state);
  void watch_builds();
  bool can_cancel_builds() const;
  void cancel_builds();
  void restart_after_reset();

  // Input
  void handle(const InputEvent& event);
  void handle(const MouseMove& event);
  void handle(const MouseButton& event);
  void handle(const MouseWheel& event);
  void handle(const KeyDown& event);
  void handle(const FileDrop& event);
  void follow_drops();
  void take(const DroppedFile& file);
  void change_work_group(int direction);
  void next_scene();
  void next_device();
  void toggle(const std::string& parameter);
  void escape();
  std::string main_kernel() const;
  bool apply_to_window(const command::Command& command);
  void send(PointerEvent event);

  // Commands
  void apply(const command::Command& command);
  void restore_session();
  void compare(const command::Compare& wanted);
  void select_scene(const std::string& name);
  void follow_tuning(const command::Command& command);
  void choose(const command::ChooseVariant& choice);

  // Drawing
  void update_scene();
  void begin_tuning_asked_for();
  void take_turns();
  void draw();
  void draw_scene(const Viewport& view);
  void draw_panels(const Viewport& view);
  Viewport viewport() const;
  WindowSnapshot snapshot();

  // Files
  Image read_back() const;
  void save_screenshot();
  void save_trace();
  State state() const;
  StateSection window_section() const;
  void keep_session();
  void write_stats() const;
  void write_files_on_leaving();

  SceneKinds kinds_;
  WindowOptions options_;
  double launched_;
  SessionKeeper sessions_{sessions_folder()};  // first, so that what crashes in opening the window is told
  double first_frame_ = 0;
  double first_picture_ = 0;
  TimelineKeeper timeline_;
  Notices notices_;
  BuildWatch builds_;
  Tidier tidier_;
  DeviceSession devices_{options_, workload_, notices_};  // lists them while the window opens
  Window window_;
  gl::PassTimer passes_;
  ImGuiLayer imgui_;
  FrameClock clock_;
  FramePacer pacer_;
  Tuner tuner_;
  KernelEditor editor_{{kernel_folder(), KernelEditStore::default_folder()}};
  DraftKeeper drafts_{{kernel_folder(), KernelEditStore::default_folder()}};
  std::set<std::string> edited_kernels_;  // that have computed something of what a state file tells
  Scenes scenes_;                         // declared after what they use: they go first
  Scene* scene_ = nullptr;
  Workload workload_{scenes_, tuner_, editor_, timeline_.timeline(), tidier_};
  ui::UiState ui_;
  command::Commands commands_;
  CeilingsKeeper ceilings_;
  Comparer comparer_;
  std::vector<KernelStatistics> kernels_;
  double kernels_taken_ = 0;
  bool screenshot_wanted_ = false;
  Background<std::string> saving_;
  Background<DroppedFile> dropped_;

  glm::vec2 pointer_{0, 0};
  bool dragging_ = false;  // a press that began in the picture belongs to it until the release
  std::array<bool, 3> down_{};
  Modifiers modifiers_;
  double last_press_ = -1;
  glm::vec2 last_press_at_{-1, -1};
  State loaded_;
};

}  // namespace orrery::shell
