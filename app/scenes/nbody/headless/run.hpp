/// A run of bodies without a window: from its first bodies, or from a state, to its last step.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/files/growing_file.hpp"
#include "base/points/point_series.hpp"
#include "base/work/interrupt.hpp"
#include "base/work/ranks.hpp"
#include "cli/options.hpp"
#include "compute/device/call_watch.hpp"
#include "compute/queue/answering.hpp"
#include "scenes/nbody/bodies/initial.hpp"
#include "scenes/nbody/files/run_state.hpp"
#include "scenes/nbody/headless/archiving.hpp"
#include "scenes/nbody/headless/checkpoint.hpp"
#include "scenes/nbody/model/diagnostics.hpp"
#include "scenes/nbody/model/publisher.hpp"
#include "scenes/nbody/tuning/device_group.hpp"

namespace orrery::cli {

/// The command line of the run.
struct NbodyOptions {
  NbodySettings settings;
  Unset unset;
  std::int64_t steps = 100;
  DeviceChoice devices;
  bool speed_up = false, no_summary = false;
  std::string out, diagnostics;
  std::int64_t every = 0;  ///< steps between two frames of `out`; 0: only the last step
  std::string state, resume;
  std::string archive;
  std::int64_t archive_every = 0;  ///< steps between two states; 0: a run keeps about 200
  std::optional<double> at;        ///< the run ends at the step that is nearest to this time
  bool goes_to_moment = false;     ///< --at or --at-step: the resumed file does not change
  bool state_is_asked_for = true;  ///< false: the file is removed when the run has ended
  std::vector<std::string> given;  ///< names of the settings on the command line
};

/// Checks the files and the variant, before anything is computed.
void check(const NbodyOptions& options);

/// If one of several devices fails or stops responding, the others continue from the last state on the host if their
/// driver still answers. Else the process ends, and that state is kept. One thread, and the thread that watches calls
/// to drivers.
class NbodyRun {
 public:
  /// `ranks`: those that share the bodies; null where this process is alone. Borrows both.
  NbodyRun(NbodyOptions& options, std::vector<DeviceInfo> devices, Ranks* ranks = nullptr);
  ~NbodyRun();
  NbodyRun(const NbodyRun&) = delete;
  NbodyRun& operator=(const NbodyRun&) = delete;

  void go();
  /// Writes the requested files.
  void write();
  /// The requested files that have results.
  std::vector<std::string> files() const;
  void summarise();
  /// Prints which potential the diagnostics have, where it is not the sum over all pairs.
  void summarise_potential();
  /// All results are written and reported; only the devices remain to be released.
  void end() { ended_ = true; }

  std::int64_t steps() const { return simulation().clock().step; }
  double seconds() const { return seconds_; }
  Bodies bodies();
  /// With its unit. A tree computes fewer interactions than there are pairs: its work is counted in bodies.
  std::string rate() const;
  bool has_lost_devices() const { return lost_; }

 private:
  /// The bodies on their devices. Borrows the devices.
  struct Computation;
  /// The state that the run continues from.
  struct Resumed {
    std::int64_t step;
    StateHash hash;
    double first_energy;
    bool of_window;  // such a file has neither hash nor energy
  };

  const NbodySimulation& simulation() const;
  BodyFileNotes notes() const;
  bool by_tree() const { return simulation().kernels().variant.forces == Forces::tree; }
  bool is_first() const { return ranks_ == nullptr || ranks_->first(); }
  bool is_given(std::string_view name) const;

  Bodies first_bodies();
  void share_start(Bodies& bodies);
  void resume();
  NbodyRunState read_state();
  NbodyRunState read_archive();
  void share_state();
  void take_settings();
  void check_same_tree(const std::string& variant) const;
  NbodySimulation simulation_of(const NbodyRunState& state);
  NbodySimulation simulation_of_first();

  void begin();
  void take_steps();
  bool ends_here();
  void note_diagnostics(const Progress& progress);
  void begin_diagnostics(const NbodyDiagnostics& now);
  std::string earlier_rows(std::int64_t step) const;

  std::int64_t kept_step() const { return kept_ ? kept_->clock.step : 0; }
  NbodyRunState present() const;
  NbodyRunState present_without_rows() const;
  void copy_if_due();
  void keep_state();
  void keep_state_if_due();
  void archive_if_due();
  void take_burst(std::int64_t end, Progress& progress);
  void keep_frame_if_due();

  void continue_without_lost(const Error& error);
  void leave_behind(const DeviceInfo& device);
  std::vector<DeviceInfo> named(std::vector<DeviceInfo> devices) const;
  std::string ended_text(const std::vector<DeviceInfo>& gone) const;
  std::vector<DeviceInfo> gone_devices() const;
  std::vector<DeviceInfo> to_blame(const DeviceSilent& silent) const;
  std::string keep_last(const std::vector<DeviceInfo>& lost);
  void let_go();

  void summarise_contacts();
  void summarise_levels();
  void summarise_tree();
  void summarise_shares() const;

  NbodyOptions& options_;
  std::vector<DeviceInfo> infos_;
  Ranks* ranks_;
  Checkpoint checkpoint_;
  Archiving archiving_;
  std::optional<PointSeries> frames_;  // on the first rank, if frames were requested
  std::optional<Resumed> resumed_;
  // The start of a run after a device is lost: the newest state on the host, or the first bodies if there is none.
  std::optional<NbodyRunState> kept_;
  Bodies first_bodies_;
  double copy_due_ = 0;
  std::unique_ptr<DeviceGroup> devices_;
  std::unique_ptr<Computation> computation_;
  std::optional<GrowingFile> rows_;
  std::optional<NbodyDiagnostics> first_;
  NbodyDiagnostics last_;
  StepWatch watch_;
  std::optional<InterruptWatch> interrupts_;
  double seconds_ = 0;  // duration of the steps
  bool lost_ = false;   // a device has failed
  bool ended_ = false;  // all is done and reported
  CallWatch calls_;
};

/// The run of one of several ranks. Does not return if any rank fails.
int run_on_many(NbodyOptions& options, const Arguments& arguments, const RankPlace& place);

}  // namespace orrery::cli
