/// One sweep beside the scene, with everything made for it: the target is prepared on a worker thread, then its
/// candidates are timed a slice at a time.
///
/// Window thread. The destructor waits for builds and launches under way: another thread should call it.
#pragma once

#include <memory>

#include "base/work/background.hpp"
#include "compute/tuning/sweep.hpp"
#include "compute/tuning/tune_catalog.hpp"
#include "compute/tuning/tuning_store.hpp"
#include "protocol/command.hpp"

namespace orrery::shell {

class TuneJob {
 public:
  /// Begins to prepare. All candidates are built from the sources as they are now.
  TuneJob(const Device& device, command::StartTuning request, const TuneWork& work, const TuneValues& standard);

  const command::StartTuning& request() const { return request_; }
  /// Takes over what has been prepared: true once. Throws what the preparation threw.
  bool take_target();
  /// Continues from what is known of the target.
  void begin(const KnownEntries& known, double now);

  /// From here on after begin().
  const Sweep& sweep() const { return *sweep_; }
  const TuneTarget& target() const { return *target_; }
  /// Enqueues about `slice` seconds of device time, unless the scene still computes or it is its turn. False once the
  /// sweep is done.
  bool step(double slice, bool scene_busy, double now);
  /// Ends the sweep after the build or launch under way.
  void cancel() { sweep_->cancel(); }
  /// For how many seconds the candidate on the device has shown no progress.
  double silence(double now) const { return sweep_->on_device() ? now - heard_ : 0; }
  /// The candidate under way does not end: fails it, and returns what to tell. Nothing but the sweep's results may be
  /// used afterwards.
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
  double heard_ = 0;  // when the candidate last made progress
};

}  // namespace orrery::shell
