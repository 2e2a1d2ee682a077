/// Data for the panels: plain values, remade each frame by the window thread.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/state_text.hpp"
#include "base/parameter.hpp"
#include "base/timeline.hpp"
#include "compute/device/device_info.hpp"
#include "compute/device/work_group.hpp"
#include "compute/measure/comparison.hpp"
#include "compute/measure/roofline.hpp"
#include "compute/queue/kernel_statistics.hpp"
#include "protocol/editor_snapshot.hpp"
#include "protocol/files_snapshot.hpp"
#include "protocol/key_binding.hpp"
#include "protocol/tuner_snapshot.hpp"

namespace orrery {

class TuneCatalog;
namespace ui {
class ScenePanels;
}  // namespace ui

struct RunningVariant {
  std::string kernel;  ///< its name in the tuner: "single"
  NamedTuneValues values;
};

/// The device's ceilings, and each kernel's place below them.
struct RooflineSnapshot {
  std::optional<Ceilings> ceilings;  ///< nothing until they have been measured
  bool measuring = false;
  std::vector<RooflinePlace> places;  ///< places in the order of the kernels
};

/// Reasons for a busy or an idle device.
struct SceneWork {
  std::string idle = {};          ///< why nothing is computed, one sentence; empty: busy
  std::int64_t burst = 0;         ///< time steps between two pictures; 0: the scene has none
  double bursts_per_second = 0;   ///< 0: unknown
  std::int64_t smooth_burst = 0;  ///< the longest burst with little motion between pictures; 0: any
};

/// The keyframes of a camera path, and its cursor.
struct PathView {
  std::vector<double> times = {};        ///< seconds
  std::vector<std::string> values = {};  ///< values of each keyframe, "softening 0.05, exposure 2"
  std::vector<std::string> rows = {};    ///< rows with values in keyframes: they follow the path
  double length = 0, cursor = 0;
  bool playing = false;
};

struct SceneSnapshot {
  std::string_view name;  ///< "nbody"
  std::string subject;    ///< subject for the window's title: "Outer solar system"; may be empty
  std::vector<ParameterView> parameters;
  double energy_error = std::numeric_limits<double>::quiet_NaN();  ///< relative; NaN: unknown
  WorkGroupLimits work_group;                                      ///< limits of the scene's main kernel
  RunningVariant running;                                          ///< variant of that kernel in use
  std::vector<KernelStatistics> kernels;
  DeviceUse use;  ///< computed from kernel times
  RooflineSnapshot roofline;
  std::string status;               ///< the preparation ("building kernels for 256 …"); empty: none
  std::string_view cancel_reading;  ///< effect of cancelling the file reading in the status; else empty
  std::string fault;                ///< the last error, one line; empty when all is well
  std::string fault_title;          ///< title of the fault: "Could not prepare plummer"
  std::string fault_log;
  bool can_rewind = false;  ///< the fault is non-finite numbers, which command::Rewind undoes
  SceneWork work = {};
  PathView path = {};
  std::size_t bytes_copied = 0;         ///< copied through host memory, per published frame
  const TuneCatalog* tuning = nullptr;  ///< catalog of its kernels; null: nothing to tune
  std::int64_t tune_size = 0;           ///< problem size for tuning
  std::string untunable;                ///< why tuning is impossible now; empty: possible
  std::shared_ptr<const ui::ScenePanels> panels;
  std::function<void(nlohmann::ordered_json&)> add_statistics = {};  ///< adds to the file of --stats; null: none
};

struct FrameTimes {
  std::vector<float> recent_ms;  ///< oldest first
  double p50_ms = 0;
  double p95_ms = 0;
  double p99_ms = 0;
  double max_ms = 0;
  double frames_per_second = 0;    ///< frames that handle input …
  double pictures_per_second = 0;  ///< … and the part of them that draws a picture
};

/// A comparison of two computations of a scene's state.
struct ComparisonSnapshot {
  bool running = false;
  double progress = 0;               ///< 0 … 1
  std::optional<Comparison> result;  ///< the last result
};

/// A session that closed unexpectedly.
struct LeftSession {
  std::string when;     ///< time of its last copy, else of its end; empty: no such session
  std::string report;   ///< how it ended; empty: unknown
  bool copied = false;  ///< a copy can be restored
};

/// A scene that can be shown: its tab, and its part of the help page.
struct SceneEntry {
  std::string_view name;   ///< "nbody"
  std::string_view title;  ///< "N-body"
  KeyBindings keys = {};
  std::span<const std::string_view> actions = {};  ///< titles of additional actions: "Save film"
  std::vector<std::string_view> parameters = {};   ///< labels for the search, of a hidden scene
};

/// An entry of a gallery with a small picture: a preset or a place.
struct Card {
  std::string id;  ///< file of a preset, for command::OpenFile
  std::string title;
  std::string text;         ///< one sentence about it
  unsigned texture = 0;     ///< GL name of its picture; 0: none yet
  bool own = false;         ///< saved by the user, who can remove it
  std::string object = {};  ///< object added by dragging the card into the picture: "galaxy"; may be empty
};
using Cards = std::vector<Card>;

/// The changes of the shown scene for undo and redo.
struct EditSnapshot {
  std::string undo, redo;  ///< effect of each, "Time step: 0.01 → 0.336"; empty: none
  std::string ruin;        ///< damage by the last change, one sentence; empty: none
};

/// A guided tour that is shipped.
struct TourEntry {
  std::string file;  ///< command::OpenFile begins the tour
  std::string title, about;
};

/// The step of a tour that is shown.
struct TourSnapshot {
  std::string title, caption;
  std::size_t step = 0, steps = 0;  ///< from 0; no steps: no tour is shown
  std::string look_at;              ///< control that the step explains, "Simulation/Steps/s"; empty: none
  double wait = 0;                  ///< elapsed share of the time until the next step; 0: no timer
  bool left = false;                ///< a tour has ended: the previous scene is offered
};

/// A failed action, shown until it is dismissed.
struct Failure {
  std::string title;  ///< "Could not open small.toml"
  std::string text;   ///< why, and what to do; may be empty
};

/// A button of a notice.
struct NoticeAction {
  std::string label, help;
  command::Command command;
};

/// A report of a finished action, shown for a while.
struct Notice {
  std::string text;  ///< "Saved /home/…"; empty: no notice
  std::string file;  ///< its file, for "show in folder"; empty: none
  std::optional<NoticeAction> action = {};
};

struct ManualPage;  // base/files/manual.hpp

/// A film that is being recorded.
struct RecordingSnapshot {
  std::int64_t frames = 0;
  double seconds = 0;  ///< duration of the frames
};

/// The data of all panels around the picture.
struct WindowSnapshot {
  std::vector<PlatformInfo> platforms;
  std::vector<DeviceInfo> members;  ///< the devices in use; the first one has the window's surfaces
  std::string device_name;          ///< their name for people; empty: no device
  std::string installation_hints;
  bool shared = false;
  std::string sharing_reason;
  FrameTimes frames;
  double drawing = 0;  ///< OpenGL's time divided by the time that passed; NaN: unknown
  bool vsync = true;
  std::vector<SceneEntry> scenes;  ///< in the order of their tabs
  KeyBindings keys;                ///< keys of the window
  OtherLetters other_letters;      ///< the keyboard layout's letters, while the help is open
  SceneSnapshot scene;
  TunerSnapshot tuner;
  ComparisonSnapshot comparison;
  std::shared_ptr<const TimelineView> timeline;  ///< null unless its panel is open
  LeftSession left_session;
  EditSnapshot edits;
  std::vector<TourEntry> tours;
  const std::vector<ManualPage>* manual = nullptr;  ///< while the help is open
  TourSnapshot tour;
  std::shared_ptr<const Cards> presets;  ///< presets of the shown scene: shipped ones, then the user's
  EditorSnapshot editor;
  FilesSnapshot files;
  std::optional<RecordingSnapshot> recording = {};
  double film_to_here = 0;  ///< seconds of a film of the run from its beginning; 0: none
  std::vector<Failure> failures;
  Notice notice;
  std::string gl_renderer;
};

}  // namespace orrery
