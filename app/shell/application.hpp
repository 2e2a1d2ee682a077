/// The window's program: the frame loop that ties input, scenes, panels and measurements together.
///
/// A frame: collect input and apply commands; let the scene take over completed work and enqueue its next slice; draw
/// scene and panels; present. Nothing in it waits for a kernel. Main thread.
#pragma once

#include <memory>

#include "shell/devices/device_session.hpp"
#include "shell/edits.hpp"
#include "shell/files/autosave.hpp"
#include "shell/files/controls_file.hpp"
#include "shell/files/document.hpp"
#include "shell/files/draft_keeper.hpp"
#include "shell/files/dropped_file.hpp"
#include "shell/files/file_saver.hpp"
#include "shell/files/gallery.hpp"
#include "shell/files/recent_files.hpp"
#include "shell/files/recorder.hpp"
#include "shell/files/tour.hpp"
#include "shell/remote.hpp"
#include "shell/scene_tabs.hpp"
#include "shell/tidier.hpp"
#include "shell/tools/stats_file.hpp"
#include "shell/tools/tools.hpp"
#include "shell/window/input_queue.hpp"
#include "shell/window/notices.hpp"
#include "shell/window/options.hpp"
#include "shell/window/presenter.hpp"
#include "shell/window/screen.hpp"
#include "shell/workload.hpp"

namespace orrery::shell {

class Application {
 public:
  /// Opens the window. `launched` is when the process began (now_seconds), for the time to the first frame; `unknown`
  /// the table [window] of the state that the scenes started from, and its unknown keys, which are kept.
  Application(SceneKinds kinds, WindowOptions options, double launched, const StateTables& unknown = {});
  ~Application();

  /// Scenes are shown as tabs in this order. Before run().
  void add(std::unique_ptr<Scene> scene);
  /// Returns when the user leaves, or after the frames or the seconds of the options. Throws when a file that the
  /// options name cannot be written.
  void run();

 private:
  // The frame
  bool frame();
  bool is_last_frame() const;
  bool must_draw(bool last) const;
  bool keeps_picture(bool last) const;
  bool draws_all(bool last) const;
  News news() const;
  RedrawPacer::Drawing drawing() const;
  void take_input();
  void follow_kernels();
  void follow_devices(double now);
  Scene* visible() const;
  void update_scene();
  void note_running();
  double feed_scene();
  void draw(bool kept, bool panels);
  void draw_scene(const Viewport& view);
  Viewport viewport() const;
  WindowSnapshot snapshot();
  void offer_larger_scale();
  void follow_title(const SceneSnapshot& seen);
  void autosave();

  // Input
  void handle(const MouseMove& event);
  void handle(const MouseButton& event);
  void handle(const MouseWheel& event);
  void handle(const KeyEvent& event);
  void handle(const FileDrop& event);
  void handle(const MouseInside&) {}
  void handle(const Character&) {}
  void handle(const Focus&) {}
  void send(std::vector<PointerEvent> events);

  // Commands
  struct Route;
  void apply(const command::Command& command);
  void change_scale(int direction);
  void escape();
  void toggle_editor();

  // A program that drives the window
  struct RemoteRoute;
  void follow_remote();
  void serve(const RemoteRequest& request);

  // Files
  void open_dropped(std::vector<std::string> paths);
  void merge_dropped(std::vector<std::string> paths);
  void take_dropped();
  void answer_preview(bool load);
  void take(const DroppedFile& file);
  Opening opening_of(const DroppedFile& file) const;
  void step(Scene& scene, EditDirection direction);
  void ask(ui::FileQuestion question);
  void ask_to_open();
  void ask_to_save();
  void ask_to_save_past();
  void save_state(const std::string& path);
  void save_of_scene(const std::string& path, SceneWriter writer, const std::string& missing);
  void follow_saver();
  void tell_of_saved(const SavedFile& saved);
  void begin_tour(const Tour& tour);
  void go_to(const TourStep& step);
  void leave_tour(bool back);
  void tell_edited_kernels(const StateTables& state);
  WindowState window_state() const;
  StateSource copy_of_shown() const;
  bool awaits_copy() const;
  bool awaits_picture() const;
  void copy_command_line();
  void copy_value(const command::CopyValue& value);
  void save_drawn_plot();
  void open_preset(int number);
  void save_picture_alone(const Viewport& view);
  void toggle_recording();
  void record_from_beginning();
  void follow_recorder();
  void tell_of(const RecordedFilm& film);
  void record(const Viewport& view);
  void keep_preset();
  StateTables state() const { return document_.state(window_state(), scenes_.all()); }

  // The end
  void restart_after_reset();
  /// True if closing the devices will not wait.
  bool write_files_on_leaving();
  void write_last_picture();
  void remember_window();
  RunStats stats();

  const WindowOptions options_;
  Autosave autosave_{autosave_folder()};  // first, so that a crash while the window opens is reported
  Document document_;
  Notices notices_;
  Tidier tidier_;
  Tools tools_{options_, notices_};
  DeviceSession devices_{options_, workload_, notices_};  // lists the devices while the window opens
  Edits edits_{devices_, notices_};
  Screen screen_;
  Presenter presenter_;
  RedrawPacer redraw_;
  DraftKeeper drafts_{{kernel_folder(), KernelEditStore::default_folder()}};
  SceneTabs scenes_;  // destroyed before the members that scenes use
  Workload workload_{scenes_.all(), tools_.tuner(), tools_.editor(), tools_.timeline().timeline(), tidier_};
  ui::UiState ui_;
  struct Channels {
    ControlsFile controls;
    Remote remote;
  } channels_{{}, Remote(options_.remote)};
  std::string title_;
  command::Commands commands_;
  PointerTracker pointer_;
  FileSaver saver_;
  Recorder recorder_;
  std::filesystem::path to_record_ = options_.record;  // film to begin with the first picture
  std::exception_ptr record_fault_;                    // fault of the film of --record
  FileBrowser browser_{scenes_.kinds(), options_.memory ? recent_files_file() : std::filesystem::path()};
  Background<std::string> showing_;  // opens a folder in the desktop's file manager
  TourGuide tour_;
  Gallery gallery_{scenes_.kinds()};
  FileOpener opener_;
  std::optional<DroppedFile> preview_;  // waits for a person's answer
  std::optional<Image> last_picture_;   // picture for --screenshot
};

}  // namespace orrery::shell
