/// What the panels see: plain values, made anew each frame by the window thread.
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
  std::string kernel;  ///< as the tuner names it: "single"
  NamedTuneValues values;
};

/// The device's ceilings, and where each kernel stands under them.
struct RooflineSnapshot {
  std::optional<Ceilings> ceilings;  ///< nothing until they have been measured
  bool measuring = false;
  std::vector<RooflinePlace> places;  ///< of the kernels, in their order
};

/// Tells why the device is busy, or why it is not.
struct SceneWork {
  std::string idle = {};          ///< why nothing is to be computed, one sentence; empty while something is
  std::int64_t burst = 0;         ///< time steps between two pictures; 0: the scene has none
  double bursts_per_second = 0;   ///< 0: unknown
  std::int64_t smooth_burst = 0;  ///< the longest one whose motion from picture to picture is small; 0: any
};

/// The keyframes of a camera path, and where its cursor is.
struct PathView {
  std::vector<double> times = {};        ///< seconds
  std::vector<std::string> values = {};  ///< that keyframes have, "softening 0.05, exposure 2"; empty where none
  std::vector<std::string> rows = {};    ///< of which some keyframe has a value: they follow the path
  double length = 0, cursor = 0;
  bool playing = false;
};

struct SceneSnapshot {
  std::string_view name;  ///< "nbody"
  std::string subject;    ///< what is seen, for the window's title: "Outer solar system"; empty: nothing in particular
  std::vector<ParameterView> parameters;
  double energy_error = std::numeric_limits<double>::quiet_NaN();  ///< relative; no number where it is unknown
  WorkGroupLimits work_group;                                      ///< of the scene's main kernel
  RunningVariant running;                                          ///< of that kernel
  std::vector<KernelStatistics> kernels;
  DeviceUse use;  ///< told by their times
  RooflineSnapshot roofline;
  std::string status;               ///< what is being prepared ("building kernels for 256 …"); empty when nothing
  std::string_view cancel_reading;  ///< the status tells the reading of a file, and cancelling it does this; else empty
  std::string fault;                ///< the last error, one line; empty when all is well
  std::string fault_title;          ///< what has failed: "Could not prepare plummer"
  std::string fault_log;
  bool can_rewind = false;  ///< the fault is that numbers are not finite; command::Rewind goes back to before
  SceneWork work = {};
  PathView path = {};
  std::size_t bytes_copied = 0;         ///< through host memory, per published frame
  const TuneCatalog* tuning = nullptr;  ///< of its kernels; null where there is nothing to tune
  std::int64_t tune_size = 0;           ///< of the problem that its kernels are tuned for
  std::string untunable;                ///< why nothing can be tuned now; empty when it can
  std::shared_ptr<const ui::ScenePanels> panels;
  std::function<void(nlohmann::ordered_json&)> add_statistics = {};  ///< to the file of --stats; null: none
};

struct FrameTimes {
  std::vector<float> recent_ms;  ///< oldest first
  double p50_ms = 0;
  double p95_ms = 0;
  double p99_ms = 0;
  double max_ms = 0;
  double frames_per_second = 0;    ///< in which input is answered …
  double pictures_per_second = 0;  ///< … and of these, such as draw a picture
};

/// Two ways of computing what a scene shows.
struct ComparisonSnapshot {
  bool running = false;
  double progress = 0;               ///< 0 … 1
  std::optional<Comparison> result;  ///< the last one
};

/// A session that did not end in order.
struct LeftSession {
  std::string when;     ///< its last copy was made, else its end; empty: there is none
  std::string report;   ///< how it ended; empty when nobody knows
  bool copied = false;  ///< there is a copy to restore
};

/// A scene that can be shown: its tab, and its part of the help page.
struct SceneEntry {
  std::string_view name;   ///< "nbody"
  std::string_view title;  ///< "N-body"
  KeyBindings keys = {};
  std::span<const std::string_view> actions = {};  ///< that it has besides, by their titles: "Save film"
  std::vector<std::string_view> parameters = {};   ///< their labels, of a scene that is not shown; for the search
};

/// What a gallery offers, with a small picture: a preset, a place.
struct Card {
  std::string id;  ///< of a preset: its file, for command::OpenFile
  std::string title;
  std::string text;         ///< one sentence about it
  unsigned texture = 0;     ///< the GL name of its picture; 0 while there is none
  bool own = false;         ///< kept by the user, who can remove it
  std::string object = {};  ///< "galaxy": what is added where the card is dragged into the picture; empty: nothing
};
using Cards = std::vector<Card>;

/// The changes of the shown scene that can be undone and made again.
struct EditSnapshot {
  std::string undo, redo;  ///< "Time step: 0.01 → 0.336", what each would do; empty where there is nothing
  std::string ruin;        ///< what the last change has done to the simulation, one sentence; empty where nothing
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
  std::string look_at;              ///< the control that the step is about, "Simulation/Steps/s"; empty: none
  double wait = 0;                  ///< share of the time after which it goes on by itself; 0: it does not
  bool left = false;                ///< a tour has ended: what was shown before it is offered
};

/// Something that was to be done and was not: shown until it is dismissed.
struct Failure {
  std::string title;  ///< "Could not open small.toml"
  std::string text;   ///< why, and what to do; may be empty
};

/// A button of a notice.
struct NoticeAction {
  std::string label, help;
  command::Command command;
};

/// What has been done: shown for a while.
struct Notice {
  std::string text;  ///< "Saved /home/…"; empty: there is none
  std::string file;  ///< that it is about, to be shown in its folder; empty: none
  std::optional<NoticeAction> action = {};
};

struct ManualPage;  // base/files/manual.hpp

/// A film that is being recorded.
struct RecordingSnapshot {
  std::int64_t frames = 0;
  double seconds = 0;  ///< that they last
};

/// Everything that is drawn around the picture.
struct WindowSnapshot {
  std::vector<PlatformInfo> platforms;
  std::vector<DeviceInfo> members;  ///< the devices in use; the first one has the window's surfaces
  std::string device_name;          ///< of them, for people; empty when there is no device
  std::string installation_hints;
  bool shared = false;
  std::string sharing_reason;
  FrameTimes frames;
  double drawing = 0;  ///< OpenGL's time divided by the time that passed; no number if OpenGL does not tell
  bool vsync = true;
  std::vector<SceneEntry> scenes;  ///< in the order of their tabs
  KeyBindings keys;                ///< of the window
  OtherLetters other_letters;      ///< of the keyboard's layout, while the help is open
  SceneSnapshot scene;
  TunerSnapshot tuner;
  ComparisonSnapshot comparison;
  std::shared_ptr<const TimelineView> timeline;  ///< null unless its panel is open
  LeftSession left_session;
  EditSnapshot edits;
  std::vector<TourEntry> tours;
  const std::vector<ManualPage>* manual = nullptr;  ///< while the help is open
  TourSnapshot tour;
  std::shared_ptr<const Cards> presets;  ///< of the shown scene: the program's, then those that the user has kept
  EditorSnapshot editor;
  FilesSnapshot files;
  std::optional<RecordingSnapshot> recording = {};
  double film_to_here = 0;  ///< seconds of a film of the run from its beginning; 0: there is none
  std::vector<Failure> failures;
  Notice notice;
  std::string gl_renderer;
};

}  // namespace orrery
