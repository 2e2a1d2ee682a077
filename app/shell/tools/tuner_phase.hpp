/// The phases of the tuner, and the sweep of a phase.
///
/// transition() is the whole table of the phases: an event that it does not list for a phase changes nothing.
#pragma once

#include <memory>
#include <variant>

#include "base/work/background.hpp"
#include "compute/tuning/sweep.hpp"
#include "compute/tuning/tune_catalog.hpp"
#include "compute/tuning/tuning_store.hpp"
#include "protocol/command.hpp"

namespace orrery::shell {

/// One sweep while the scene runs, with all its objects: the target is prepared on a worker thread, then its candidates
/// are timed a slice at a time. Window thread. The destructor waits for builds and launches under way: call it on
/// another thread.
class TuneJob {
 public:
  /// Begins to prepare. All candidates are built from the present sources.
  TuneJob(const Device& device, command::StartTuning request, const TuneWork& work, const TuneValues& standard);

  const command::StartTuning& request() const { return request_; }
  /// Takes over the finished preparation: true once. Rethrows its exception.
  bool take_target();
  /// Continues from the known results of the target.
  void begin(const KnownEntries& known, double now);

  /// Valid after begin().
  const Sweep& sweep() const { return *sweep_; }
  const TuneTarget& target() const { return *target_; }
  /// Enqueues about `slice` seconds of device time, unless the scene still computes or it is its turn. False once the
  /// sweep is done.
  bool step(double slice, bool scene_busy, double now);
  /// Ends the sweep after the build or launch under way.
  void cancel() { sweep_->cancel(); }
  /// Seconds without progress of the candidate on the device.
  double silence(double now) const { return sweep_->on_device() ? now - heard_ : 0; }
  /// Fails a candidate that does not end, and returns the message. Only the sweep's results may be used afterwards.
  std::string give_up(double now);
  /// True every few seconds of the sweep.
  bool take_save_turn();

 private:
  command::StartTuning request_;
  ProgramLibrary programs_;
  Background<std::unique_ptr<TuneTarget>> preparing_;
  std::unique_ptr<TuneTarget> target_;
  std::unique_ptr<Sweep> sweep_;
  double saved_ = 0;  // the sweep's time at the last save
  double heard_ = 0;  // time of the candidate's last progress
};

namespace tuner_phase {

struct Idle {};
/// The kernel's problem and its reference result are being prepared.
struct Preparing {
  std::unique_ptr<TuneJob> job;
};
/// Candidates are built, checked and timed.
struct Sweeping {
  std::unique_ptr<TuneJob> job;
};
/// Cancelled: the build or launch under way ends first.
struct Ending {
  std::unique_ptr<TuneJob> job;
};

}  // namespace tuner_phase

using TunerPhase = std::variant<tuner_phase::Idle, tuner_phase::Preparing, tuner_phase::Sweeping, tuner_phase::Ending>;

namespace tuner_event {

struct Started {
  std::unique_ptr<TuneJob> job;
};
struct Prepared {};
/// The kernel cannot be tuned.
struct Refused {};
/// The user cancels; a second time: at once.
struct Cancelled {};
/// The sweep is done.
struct Done {};
/// The kernel's source is another one.
struct SourceChanged {};
/// The devices are closed, or the program ends.
struct DeviceLeft {};
/// The candidate on the device does not end.
struct CandidateHung {};
/// The devices are abandoned.
struct DeviceAbandoned {};

}  // namespace tuner_event

using TunerEvent = std::variant<tuner_event::Started, tuner_event::Prepared, tuner_event::Refused,
                                tuner_event::Cancelled, tuner_event::Done, tuner_event::SourceChanged,
                                tuner_event::DeviceLeft, tuner_event::CandidateHung, tuner_event::DeviceAbandoned>;

/// The handling of a job that a transition ends.
enum class JobEnding {
  none,            ///< no job, or it continues
  release,         ///< its results are discarded
  save,            ///< its results so far are saved
  use,             ///< its results are saved, and automatic choices use them
  abandon,         ///< it may never end
  blame_candidate  ///< like abandon; the candidate has failed, and results are saved
};

struct TunerTransition {
  TunerPhase phase;
  JobEnding ending = JobEnding::none;
  std::unique_ptr<TuneJob> job;  ///< ended job
};

/// Calls no device.
TunerTransition transition(TunerPhase phase, TunerEvent event);

}  // namespace orrery::shell
