/// Commands of panels and keys. Plain values; applied once per frame, before anything is computed.
#pragma once

#include <any>
#include <array>
#include <concepts>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "base/parameter.hpp"
#include "compute/device/device_info.hpp"
#include "compute/tuning/tune_space.hpp"
#include "protocol/kernel_command.hpp"

namespace orrery::command {

/// Sets a parameter of the present scene.
struct SetParameter {
  std::string name;
  Value value;
};
struct SelectScene {
  std::string name;
};
/// Selects devices that compute together; `split` divides a single device into that many parts.
struct SelectDevices {
  std::vector<DeviceId> ids;
  std::int64_t split = 1;
};
/// Shows the next (+1) or the previous (−1) scene.
struct NextScene {
  int direction = 1;
};
/// Toggles an on/off parameter of the present scene.
struct ToggleParameter {
  std::string name;
};
/// Selects the next smaller (−1) or larger (+1) legal work-group of the scene's main kernel.
struct ChangeWorkGroup {
  int direction;
};
struct NextDevice {};
/// Scales the panels by +1 or −1 step; 0: the initial scale.
struct ChangeScale {
  int direction;
};
struct ToggleHelp {};
/// Opens the search for parameters, actions, scenes …, or closes it.
struct ToggleSearch {};
struct TogglePanels {};
struct ToggleKeyboard {};  ///< moves the keyboard focus to the panels or back
/// Switches between dark and light panels.
struct ToggleTheme {};
/// Shows or hides colours, scale and time in the picture.
struct ToggleLegend {};
struct ToggleFullScreen {};
struct ToggleTimeline {};
/// Shows the file of the scene's main kernel in the editor, or closes the editor.
struct ToggleEditor {};
/// Saves and builds the text in the open editor; without an editor, saves the state into its file.
struct Save {};
/// Shows the file dialog: to open a file, or to save the state or the past of the scene's simulation.
struct AskToOpen {};
struct AskToSave {
  bool past = false;
};
/// Saves the past of the scene's simulation or its points, by the file's extension, else the state.
struct SaveState {
  std::string path;
};
/// Checks which recent files still exist.
struct LookAtRecentFiles {};
/// Lists a folder for the file dialog.
struct ListFolder {
  enum class How { as_it_is, made /* first */, nearest /* that exists, above it */ };
  std::string path;
  How how = How::as_it_is;
};
/// Opens the folder of a file in the desktop's file manager.
struct ShowInFolder {
  std::string path;
};
struct SaveScreenshot {
  bool panels = false;
};
/// Starts or ends recording the picture as a film.
struct ToggleRecording {};
/// Restarts the simulation and records it up to the present moment.
struct RecordFromBeginning {};
/// Saves the text of a table, as .csv, under a name made of this one.
struct SaveTable {
  std::string name, text;
};
/// Copies a whole value to the clipboard; `name` describes it if the value does not.
struct CopyValue {
  std::string name, text;
};
/// Undoes or redoes the last change of the shown scene.
struct Undo {};
struct Redo {};
/// Gives a parameter of the present scene its default.
struct ResetParameter {
  std::string name;
};
/// After a change that ruined a simulation: undoes it and returns to the moment before it, or keeps it.
struct UndoAndRewind {};
struct KeepChange {};
/// Opens a file as if it were dropped onto the window: a state file, a saved picture, bodies, a world, a place.
struct OpenFile {
  std::string path;
};
/// Takes the larger scale that is offered, or declines it for good.
struct AnswerScale {
  bool larger;
};
/// Loads the file that is previewed, or leaves everything as it is.
struct AnswerPreview {
  bool load;
};
/// Merges these files into a new one and opens it; none given: the files of the preview.
struct MergeFiles {
  std::vector<std::string> paths;
};
/// Shows the next (+1) or previous (−1) step of the tour. Opening its file begins a tour.
struct StepTour {
  int direction = 1;
};
/// Ends the tour and offers to restore the previous scene.
struct CloseTour {};
/// Accepts or declines that offer.
struct LeaveTour {
  bool back = false;
};
/// Opens the preset with that number, from 1, in the present scene's gallery.
struct OpenPreset {
  int number;
};
/// Saves the present state as a preset in its scene's gallery; the name is also the file's.
struct KeepPreset {
  std::string name;
};
/// Removes a saved preset; `file` is its id.
struct RemovePreset {
  std::string file;
};
/// Copies a command line that shows the scene in its present state.
struct CopyCommandLine {};
/// Closes what is open, one thing at a time: the search, the help page, the tour, the editor, the scene's pane (to the
/// scene), the timeline; at last, full screen.
struct Escape {};
struct Quit {};
struct SetPaused {
  bool paused;
};
struct TogglePaused {};
/// One published frame, then pause.
struct StepOnce {};
/// Starts the scene again: from its initial condition, or at its first view.
struct Reset {};
/// Goes back to the last state without NaN or infinite numbers.
struct Rewind {};
/// Goes back to a moment from the scene's status; null: to the beginning.
struct ReturnTo {
  std::shared_ptr<const void> moment;
};
struct ResetCamera {};
/// Moves the camera so that it sees all objects, or nearly all of many.
struct FitView {};
/// Starts or stops a motion of the view: a camera orbits slowly, a flat view zooms in.
struct MoveView {};
/// Halves or doubles the visible speed of a simulation; its time step stays.
struct ChangePace {
  bool faster = false;
};
/// Measures the device's ceilings while the scene keeps running.
struct MeasureCeilings {};
/// Computes the shown state twice: unchanged, and with another device or other parameters.
struct Compare {
  std::optional<DeviceId> device;                               ///< second device; none: the scene's
  std::vector<std::pair<std::string, std::string>> parameters;  ///< names and values for the second computation
};
struct CancelComparison {};
/// Restores or drops the session that closed unexpectedly.
struct RestoreSession {};
struct ForgetSession {};
/// Resets all scenes to their state at the first start.
struct StartFresh {};
/// Writes the timeline as a trace file.
struct ExportTimeline {};
struct SetVsync {
  bool on;
};
/// Hides this notice.
struct DismissMessage {
  std::string notice;
};
/// Dismisses the failure with that title; without a title, the fault of the devices.
struct DismissFault {
  std::string title;
};
/// Rebuilds kernels after a source changed on disk; the previous ones run until then, and after a failed build.
struct ReloadKernels {};

/// Tunes a kernel of the scene over these axes; none named: all.
struct StartTuning {
  std::string kernel;
  std::vector<std::string> axes;
  double seconds = 60;
  bool again = false;  ///< known results are measured again
};
struct CancelTuning {};
/// Shows the known results for that kernel.
struct LookAtKernel {
  std::string kernel;
};
/// Runs the scene's kernel with these values; none: the best ones found by tuning that keep the bits.
struct ChooseVariant {
  std::string scene;
  std::string kernel;
  NamedTuneValues values;
};
/// Lets automatic choices use new tuning results.
struct TakeTuned {};

/// A card was dropped into the picture: adds its object there.
struct DropObject {
  std::string object;
  std::array<float, 2> at{};  ///< pixels of the viewport, origin top left; the window knows them
};
/// Cancels reading the file that the scene's status names.
struct CancelReading {};

/// A command of the present scene alone. Only the scene and its panels know its type; another scene ignores it.
struct SceneCommand {
  std::any content;
};

using AnyCommand = std::variant<
    SceneCommand, StartTuning, CancelTuning, LookAtKernel, ChooseVariant, TakeTuned, SetParameter, SelectScene,
    SelectDevices, SetPaused, StepOnce, Reset, Rewind, ReturnTo, ResetCamera, FitView, MoveView, ChangePace, NextScene,
    ToggleParameter, ChangeWorkGroup, NextDevice, ChangeScale, ToggleHelp, ToggleSearch, TogglePanels, ToggleKeyboard,
    ToggleFullScreen, ToggleTheme, ToggleTimeline, ToggleLegend, ToggleEditor, SaveScreenshot, ToggleRecording,
    RecordFromBeginning, SaveTable, CopyValue, OpenFile, CopyCommandLine, Undo, Redo, ResetParameter, UndoAndRewind,
    KeepChange, Escape, Quit, TogglePaused, ExportTimeline, MeasureCeilings, Compare, CancelComparison, RestoreSession,
    ForgetSession, StartFresh, SetVsync, DismissMessage, DismissFault, ReloadKernels, ShowKernel, SaveKernel,
    RestoreKernel, UseKeptKernel, GiveUpBuilding, OpenKernelElsewhere, Save, AskToOpen, AskToSave, SaveState,
    LookAtRecentFiles, ListFolder, ShowInFolder, StepTour, CloseTour, LeaveTour, OpenPreset, KeepPreset, RemovePreset,
    CancelReading, AnswerPreview, AnswerScale, MergeFiles, DropObject>;

/// Any command. Its special members are compiled once, in command.cpp, instead of in every source.
class Command : public AnyCommand {
 public:
  template <class Content>
    requires(!std::same_as<Content, Command>)
  Command(Content content) : AnyCommand(std::in_place_type<Content>, std::move(content)) {}
  Command(const Command& other);
  Command(Command&& other) noexcept;
  Command& operator=(const Command& other);
  Command& operator=(Command&& other) noexcept;
  ~Command();
};
using Commands = std::vector<Command>;

template <class Own>
Command of_scene(Own command) {
  return SceneCommand{std::any(std::move(command))};
}
/// Calls `handler` with a command that is one of `Own`; does nothing with any other one.
template <class... Own, class Handler>
void handle_own(const SceneCommand& command, Handler&& handler) {
  const auto try_one = [&]<class T>(std::type_identity<T>) {
    if (const T* own = std::any_cast<T>(&command.content)) handler(*own);
  };
  (try_one(std::type_identity<Own>{}), ...);
}

}  // namespace orrery::command
