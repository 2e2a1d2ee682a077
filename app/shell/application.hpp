/// The window's program: the frame loop that ties input, scenes, panels and measurements together.
///
/// A frame (DESIGN section 2): collect input and apply commands; let the scene take over what is complete and enqueue
/// its next slice; draw scene and panels; present. Nothing in it waits for a kernel. Main thread.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "base/clock.hpp"
#include "base/files/image.hpp"
#include "base/files/path.hpp"
#include "render/pass_timer.hpp"
#include "scene/scene.hpp"
#include "shell/devices/session.hpp"
#include "shell/files/draft_keeper.hpp"
#include "shell/files/dropped_file.hpp"
#include "shell/files/scene_state.hpp"
#include "shell/files/session_keeper.hpp"
#include "shell/frame_clock.hpp"
#include "shell/frame_pacer.hpp"
#include "shell/imgui_layer.hpp"
#include "shell/options.hpp"
#include "shell/tools/ceilings_keeper.hpp"
#include "shell/tools/comparer.hpp"
#include "shell/tools/kernel_editor.hpp"
#include "shell/tools/timeline_keeper.hpp"
#include "shell/tools/tuner.hpp"
#include "shell/window.hpp"
#include "ui/panels.hpp"

namespace orrery::shell {

class Application {
 public:
  /// Opens the window. `launched` is when the process began (now_seconds), for the time to the first frame; `loaded`
  /// the state that the scenes started from, whose unknown keys are kept.
  Application(WindowOptions options, double launched, State loaded = {});
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
  void follow_devices();
  void follow_kernels();
  void note_edited_kernels(const State& state);
  void open(std::vector<DeviceInfo> devices);
  void trace_queue();
  void go_on_after_failure();
  void watch_device();
  bool can_let_go();
  void abandon_session();
  std::string silence() const;
  void watch_building();
  bool can_give_up() const;
  void give_up_building();
  void begin_anew_after_reset();
  void drop_failed_session();
  void close_session();
  /// Waits for what goes on threads of its own, for so many seconds at most; false when something is left.
  bool all_let_go(double patience);
  void fail(const Error& error);

  // Input
  void handle(const InputEvent& event);
  void handle(const MouseMove& event);
  void handle(const MouseButton& event);
  void handle(const MouseWheel& event);
  void handle(const KeyDown& event);
  void handle(const FileDrop& event);
  bool scene_key(const KeyDown& event);
  bool moving_scene_key(const KeyDown& event);
  std::optional<command::Command> mandelbrot_key(const KeyDown& event) const;
  void follow_drops();
  void take(const DroppedBodies& file);
  void take(const DroppedState& file);
  void change_work_group(int direction);
  void next_device();
  std::string main_kernel() const;
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
  void mark_scenes_work();
  void draw();
  void draw_scene(const Viewport& view);
  void draw_panels(const Viewport& view);
  Viewport viewport() const;
  WindowSnapshot snapshot();

  // Files
  Image read_back() const;
  void save_screenshot();
  void save_trace();
  void fetch_state();
  State state() const;
  StateSection window_section() const;
  void keep_session();
  void write_stats() const;
  void write_files_on_leaving();

  WindowOptions options_;
  double launched_;
  SessionKeeper sessions_{sessions_folder()};  // first, so that what crashes in opening the window is told
  double first_frame_ = 0;
  double first_picture_ = 0;
  TimelineKeeper timeline_;
  Devices devices_;  // looks for them while the window opens
  Window window_;
  gl::PassTimer passes_;
  ImGuiLayer imgui_;
  FrameClock clock_;
  FramePacer pacer_;
  std::vector<DeviceInfo> wanted_;                     // the devices to move to, when the scenes can let go
  Background<std::vector<DeviceInfo>> answering_;      // after a failure of several
  std::vector<DeviceInfo> failed_;                     // the devices that it is about …
  std::string failure_;                                // … and what it was
  std::map<std::string, std::vector<double>> losses_;  // when each device failed, by its id
  double wanted_since_ = 0;
  bool silent_ = false;  // the device has not answered for a while
  double building_since_ = now_seconds(), preparing_since_ = building_since_, let_go_when_ = 0;
  bool preparing_told_ = false;
  bool littered_ = false;  // compilers have left free memory behind
  double tidied_when_ = 0;
  Background<bool> tidying_;
  std::unique_ptr<OpenSession> session_;
  Tuner tuner_;
  cl::Event scene_done_;  // what the scene has enqueued, while something is tuned
  KernelEditor editor_{{kernel_folder(), KernelEditStore::default_folder()}};
  DraftKeeper drafts_{{kernel_folder(), KernelEditStore::default_folder()}};
  std::set<std::string> edited_kernels_;  // that have computed something of what a state file tells
  Scenes scenes_;                         // declared after what they use: they go first
  Scene* scene_ = nullptr;
  ui::UiState ui_;
  command::Commands commands_;
  CeilingsKeeper ceilings_;
  Comparer comparer_;
  std::vector<KernelStatistics> kernels_;
  double kernels_taken_ = 0;
  std::string scene_fault_;  // what its kernels cannot do
  std::string fault_;        // of the device or the loop, not of a scene
  std::string fault_log_;
  std::string message_;
  bool screenshot_wanted_ = false;
  Background<std::string> saving_;
  Background<Dropped> dropped_;

  glm::vec2 pointer_{0, 0};
  bool dragging_ = false;  // a press that began in the picture belongs to it until the release
  std::array<bool, 3> down_{};
  int modifiers_ = 0;
  double last_press_ = -1;
  glm::vec2 last_press_at_{-1, -1};
  State loaded_;
};

}  // namespace orrery::shell
