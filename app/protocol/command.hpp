/// What panels and keys ask for. Plain values; applied once a frame, before anything is computed.
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
/// Several compute together, or where there is one, so many of its parts.
struct SelectDevices {
  std::vector<DeviceId> ids;
  std::int64_t split = 1;
};
/// The scene so many tabs after the present one: +1 or −1.
struct NextScene {
  int direction = 1;
};
/// Sets a parameter of the present scene that is on or off to the other value.
struct ToggleParameter {
  std::string name;
};
/// The next smaller or larger legal work-group of the scene's main kernel: −1 or +1.
struct ChangeWorkGroup {
  int direction;
};
struct NextDevice {};
/// Larger or smaller panels: +1 or −1 step; 0: as at first.
struct ChangeScale {
  int direction;
};
struct ToggleHelp {};
/// Opens the search for parameters, actions, scenes …, or closes it.
struct ToggleSearch {};
struct TogglePanels {};
struct ToggleKeyboard {};  ///< to the panels, or back to the picture
/// Dark panels become light, light ones dark.
struct ToggleTheme {};
/// Shows or hides colours, scale and time in the picture.
struct ToggleLegend {};
struct ToggleFullScreen {};
struct ToggleTimeline {};
/// Shows the file of the scene's main kernel in the editor, or closes the editor.
struct ToggleEditor {};
/// Saves what is typed in the open editor and builds it; where no editor is open, the state, into its file.
struct Save {};
/// Asks for the file first: which one to open, or where to save the state, or the past of the scene's simulation.
struct AskToOpen {};
struct AskToSave {
  bool past = false;
};
/// The past of the scene's simulation where the file's name ends as those of pasts.
struct SaveState {
  std::string path;
};
/// Reads which of the recent files are still there.
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
/// Records what the picture shows from now on as a film, or ends that.
struct ToggleRecording {};
/// Starts the simulation again and records it up to what is shown.
struct RecordFromBeginning {};
/// Saves the text of a table, as .csv, under a name made of this one.
struct SaveTable {
  std::string name, text;
};
/// Puts all of a value on the clipboard; `name` says what it is, where that is not the value itself.
struct CopyValue {
  std::string name, text;
};
/// Takes the last change of the shown scene back, or makes it again.
struct Undo {};
struct Redo {};
/// Gives a parameter of the present scene its default.
struct ResetParameter {
  std::string name;
};
/// The last change has ruined a simulation: takes it back and returns to the moment before it; or keeps it.
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
/// Makes one new file of what these have together, and opens it; none: those that the preview tells of.
struct MergeFiles {
  std::vector<std::string> paths;
};
/// The next step of the tour that is shown, or the one before: +1 or −1. Opening its file begins a tour.
struct StepTour {
  int direction = 1;
};
/// Ends the tour, and offers what was shown before.
struct CloseTour {};
/// Takes that offer, or declines it.
struct LeaveTour {
  bool back = false;
};
/// Opens the preset of the present scene that has that number in its gallery, from 1.
struct OpenPreset {
  int number;
};
/// Keeps what is shown in the gallery of its scene, under a name that is a file's as well.
struct KeepPreset {
  std::string name;
};
/// Removes a preset that was kept; `file` is its id.
struct RemovePreset {
  std::string file;
};
/// Puts the command line that shows the scene as it is on the clipboard.
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
/// Back to the last state whose numbers are all finite.
struct Rewind {};
/// Goes back to a moment that the scene's status told; null: to the beginning.
struct ReturnTo {
  std::shared_ptr<const void> moment;
};
struct ResetCamera {};
/// The camera moves to where all objects are seen, or nearly all of many.
struct FitView {};
/// The view moves by itself, or rests again: a camera goes slowly round, a flat view dives.
struct MoveView {};
/// A simulation is seen half as fast, or twice; its time step stays.
struct ChangePace {
  bool faster = false;
};
/// What the device can do at the most, beside the scene.
struct MeasureCeilings {};
/// Computes what the scene shows once more, in two ways: as it is, and with another device or other parameters.
struct Compare {
  std::optional<DeviceId> device;  ///< of the second way; that of the scene where none is given
  std::vector<std::pair<std::string, std::string>> parameters;  ///< names and values that are others there
};
struct CancelComparison {};
/// The session that did not end in order: goes on from there, or drops it.
struct RestoreSession {};
struct ForgetSession {};
/// All scenes as they are at the first start.
struct StartFresh {};
/// What ran when, as a trace file.
struct ExportTimeline {};
struct SetVsync {
  bool on;
};
/// This notice has been shown for long enough.
struct DismissMessage {
  std::string notice;
};
/// The failure of that title has been read; without one, the fault of the devices.
struct DismissFault {
  std::string title;
};
/// A kernel's source has changed on disk: build anew; what runs goes on until then, and after a failed build.
struct ReloadKernels {};

/// Tunes a kernel of the scene, of which only these axes are swept; where none is named, all.
struct StartTuning {
  std::string kernel;
  std::vector<std::string> axes;
  double seconds = 60;
  bool again = false;  ///< what is known is measured anew
};
struct CancelTuning {};
/// Shows what is known of that kernel.
struct LookAtKernel {
  std::string kernel;
};
/// The scene's kernel runs so from now on; no values: what tuning has found best without other bits.
struct ChooseVariant {
  std::string scene;
  std::string kernel;
  NamedTuneValues values;
};
/// Tuning has found something that automatic choices may take.
struct TakeTuned {};

/// A card was dragged into the picture and let go: what it stands for is added there.
struct DropObject {
  std::string object;
  std::array<float, 2> at{};  ///< pixels of the viewport, origin top left; the window knows them
};
/// The file that is being read, of which the scene's status tells, is not wanted any more.
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

/// One of them. What every source would otherwise instantiate, for so many types, is compiled once, in command.cpp.
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
