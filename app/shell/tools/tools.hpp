/// The tools beside the scene, which measure or change how it is computed.
///
/// Window thread.
#pragma once

#include "base/files/path.hpp"
#include "base/timeline.hpp"
#include "shell/devices/device_session.hpp"
#include "shell/files/scene_state.hpp"
#include "shell/tools/build_watch.hpp"
#include "shell/tools/ceilings_keeper.hpp"
#include "shell/tools/comparer.hpp"
#include "shell/tools/kernel_editor.hpp"
#include "shell/tools/kernel_table.hpp"
#include "shell/tools/tuner.hpp"
#include "shell/window/options.hpp"

namespace orrery::shell {

class Tools {
 public:
  Tools(const WindowOptions& options, Notices& notices);

  TimelineKeeper& timeline() { return timeline_; }
  Tuner& tuner() { return tuner_; }
  KernelEditor& editor() { return editor_; }

  /// These six throw Error.
  void start(const command::StartTuning& start, const OpenDevices* devices);
  void choose(const command::ChooseVariant& choice, Scene& scene);
  void measure_ceilings(const OpenDevices* devices);
  void compare(const command::Compare& wanted, const DeviceSession& devices, const Scene& scene);
  void cancel_comparison() { comparer_.cancel(); }
  void cancel_builds(const OpenDevices* devices, const Scene* scene);
  /// Each frame before the scene's update: the tuner takes its turn.
  void take_turn(ComputeContext& context, const Scenes& scenes);
  /// Each frame: watches what is being built. True while a compiler is at work.
  bool watch_builds(const OpenDevices* devices, const Scene* scene, double now);
  bool offers_cancel() const { return builds_.offers_cancel(); }
  /// What the panels show. `snapshot` has the scene's part already.
  void fill(WindowSnapshot& snapshot, OpenDevices* devices, double now);
  /// A worker thread is at work.
  bool busy() const;
  /// The program ends: saves what the tuner has found.
  void leave();

 private:
  bool can_cancel_builds(const OpenDevices* devices, const Scene* scene) const;
  void begin_first_tuning(const Device& device);
  void poll();

  Notices& notices_;
  TimelineKeeper timeline_;
  Tuner tuner_;
  double first_tuning_;  // seconds of the sweep that --tune asks for, until it has begun; 0: none
  KernelEditor editor_{{kernel_folder(), KernelEditStore::default_folder()}};
  KernelTable kernels_;
  CeilingsKeeper ceilings_;
  Comparer comparer_;
  BuildWatch builds_;
};

}  // namespace orrery::shell
