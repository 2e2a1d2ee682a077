/// What panels and keys ask for. Plain values; applied once a frame, before anything is computed.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/parameter.hpp"
#include "compute/device/device_info.hpp"
#include "compute/tuning/tune_space.hpp"
#include "protocol/kernel_command.hpp"
#include "protocol/mandelbrot_command.hpp"
#include "protocol/particles_command.hpp"

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
struct SetPaused {
  bool paused;
};
/// One published frame, then pause.
struct StepOnce {};
struct ReverseTime {};
/// Begins to measure burst against transfer, or gives it up.
struct MeasureTransfer {
  bool begin;
};
/// N-body: the initial condition again. Mandelbrot: the first view.
struct Reset {};
/// N-body: back to the last state whose numbers are all finite.
struct Rewind {};
/// Resets the camera of the n-body scene.
struct ResetCamera {};
/// N-body: the body nearest to the picture's middle; nobody when one is followed.
struct FollowMiddle {};
/// N-body: the next body in their order, or with −1 the one before.
struct FollowNext {
  int by;
};
struct FollowNobody {};
struct LoadBodies {
  std::string path;
};
struct GoToLocation {
  std::string name;
};
/// Mandelbrot: through the visited views.
struct ViewBack {};
struct ViewForward {};
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
struct Screenshot {};
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

using Command =
    std::variant<StartTuning, CancelTuning, LookAtKernel, ChooseVariant, TakeTuned, SetParameter, SelectScene,
                 SelectDevices, SetPaused, StepOnce, ReverseTime, MeasureTransfer, Reset, Rewind, ResetCamera,
                 FollowMiddle, FollowNext, FollowNobody, LoadBodies, GoToLocation, ViewBack, ViewForward, Screenshot,
                 ExportTimeline, MeasureCeilings, Compare, CancelComparison, RestoreSession, ForgetSession, SetVsync,
                 DismissMessage, ReloadKernels, ZoomBy, PanBy, FlyTo, EndFlight, FlyToPlace, AddBookmark,
                 RemoveBookmark, OpenView, SaveView, ExportPicture, ExportFilm, CancelExport, ShowKernel, SaveKernel,
                 RestoreKernel, UseKeptKernel, GiveUpBuilding, OpenKernelElsewhere, OpenWorld, EditLaw, AddLaw,
                 RemoveLaw, SetLawParameter, Minimize>;
using Commands = std::vector<Command>;

}  // namespace orrery::command
