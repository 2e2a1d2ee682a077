/// What panels and keys ask for. Plain values; applied once a frame, before anything is computed.
#pragma once

#include <any>
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
struct TogglePanels {};
struct ToggleFullScreen {};
struct ToggleTimeline {};
/// Shows the file of the scene's main kernel in the editor, or closes the editor.
struct ToggleEditor {};
/// Saves what is typed in the open editor.
struct SaveEditedKernel {};
struct SaveScreenshot {};
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
/// Puts the command line that shows the scene as it is on the clipboard.
struct CopyCommandLine {};
/// Closes what is open, one thing at a time: the help page, the editor, the scene's pane (to the scene), the timeline;
/// at last, full screen.
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
struct ResetCamera {};
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
/// What ran when, as a trace file.
struct ExportTimeline {};
struct SetVsync {
  bool on;
};
struct DismissMessage {};
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

/// A command of the present scene alone. Only the scene and its panels know its type; another scene ignores it.
struct SceneCommand {
  std::any content;
};

using Command =
    std::variant<SceneCommand, StartTuning, CancelTuning, LookAtKernel, ChooseVariant, TakeTuned, SetParameter,
                 SelectScene, SelectDevices, SetPaused, StepOnce, Reset, Rewind, ResetCamera, NextScene,
                 ToggleParameter, ChangeWorkGroup, NextDevice, ChangeScale, ToggleHelp, TogglePanels, ToggleFullScreen,
                 ToggleTimeline, ToggleEditor, SaveEditedKernel, SaveScreenshot, CopyCommandLine, Undo, Redo,
                 ResetParameter, UndoAndRewind, KeepChange, Escape, Quit, TogglePaused, ExportTimeline, MeasureCeilings,
                 Compare, CancelComparison, RestoreSession, ForgetSession, SetVsync, DismissMessage, ReloadKernels,
                 ShowKernel, SaveKernel, RestoreKernel, UseKeptKernel, GiveUpBuilding, OpenKernelElsewhere>;
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
