/// Tunes a kernel while the scene runs, in short slices that alternate with the scene's.
///
/// Window thread. Only the destructor and finish_writing() wait; if the tuner is busy(), the process ends without the
/// destructor.
#pragma once

#include <future>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/work/background.hpp"
#include "compute/measure/roofline.hpp"
#include "compute/queue/queue.hpp"
#include "compute/tuning/tune_catalog.hpp"
#include "compute/tuning/tune_keeper.hpp"
#include "compute/tuning/tuned.hpp"
#include "protocol/snapshot.hpp"
#include "shell/tools/tuner_phase.hpp"

namespace orrery::shell {

/// Finds the scene's tunable kernel and its known results. A worker thread reads the file of results and the kernel's
/// sources.
class TuneLookup {
 public:
  /// The known results.
  struct Result {
    std::shared_ptr<TuneKeeper> keeper;
    TuneWork work;
    TuneQuestion question;
    TuneIdentity identity;
    std::vector<std::string> messages;

    /// The results with these sources; null: none.
    const StoredSweep* stored() const { return keeper->store().find(identity); }
    /// The results with other sources or another driver; null: none.
    const StoredSweep* stale() const { return keeper->store().stale(identity); }
  };

  enum class Change { none, problem, kernel };
  /// Called each frame with the scene's computation and its number of devices. While `fixed`, the look-up stays.
  /// Returns how the look-up has changed.
  Change follow(const SceneSnapshot& scene, const DeviceInfo& device, std::size_t devices, bool fixed);
  /// Prefers the kernel of that name to the running one.
  void prefer(std::string kernel) { preferred_ = std::move(kernel); }
  /// Repeats the look-up after a change of sources.
  void repeat() {
    if (asked_) ask();
  }
  enum class Finding { none, known, other_source };
  /// Takes over the finished look-up. Rethrows its exception.
  Finding poll();

  /// Why tuning is impossible; empty: possible.
  const std::string& unavailable() const { return unavailable_; }
  const DeviceInfo& device() const { return device_; }
  const TuneWork& work() const { return work_; }
  /// The name of the scene of work().
  const std::string& scene() const { return scene_; }
  /// The newest result, perhaps of an earlier kernel.
  const std::optional<Result>& newest() const { return result_; }
  /// The result for work(); null: unknown.
  const Result* result() const { return result_ && result_->work == work_ ? &*result_ : nullptr; }
  /// True once the running scene has reported its kernel.
  bool scene_runs() const { return !running_.variant.kernel.empty(); }
  /// The values that the kernel runs with; empty: unknown.
  TuneValues in_use(const Result& result) const;
  bool busy() const { return looking_.busy(); }

 private:
  struct Running {
    const TuneCatalog* catalog = nullptr;
    RunningVariant variant;
    std::string choices;  // values of the scene's parameter "variant"
  };
  void ask();

  DeviceInfo device_;
  Running running_;
  std::string preferred_;  // kernel
  TuneWork work_;
  std::string scene_;
  std::string unavailable_;
  std::optional<TuneWork> asked_;  // the target of looking_
  Background<Result> looking_;
  std::optional<Result> result_;
};

class Tuner {
 public:
  /// Called each frame with the scene's computation. Looks up its known results.
  void follow(const SceneSnapshot& scene, const DeviceInfo& device, std::size_t devices,
              const std::optional<Ceilings>& ceilings);
  void look_at(const command::LookAtKernel& wanted) { lookup_.prefer(wanted.kernel); }
  /// False, with no effect, during a sweep or while the tunable kernel is unknown.
  bool start(const command::StartTuning& wanted, const Device& device);
  /// Ends after the build or launch under way; a second call ends it at once.
  void cancel();
  /// A kernel's source has changed: results of the old source are stale, and its sweep ends.
  void sources_changed() { lookup_.repeat(); }
  /// Throws a usage Error for a variant that is known not to work.
  void check_choosable(const command::ChooseVariant& choice) const;

  /// The outcome of the tuner's turn in a frame.
  struct Turn {
    bool scene_waits = false;    ///< the tuner times a candidate; ends when it is silent too long
    bool found_choices = false;  ///< automatic choices have changed
    std::string fault;           ///< saving results failed; reported once
  };
  /// Each frame before the scene's update. Enqueues about `slice` seconds of device time, unless the scene still
  /// computes or has the turn.
  Turn update(double slice);
  /// Called each frame after it: the next slice waits for the scene's work enqueued until now.
  void mark_scene(Queue& queue);
  bool sweeping() const { return !std::holds_alternative<tuner_phase::Idle>(phase_); }
  bool scene_runs() const { return lookup_.scene_runs(); }

  /// Releases the device and saves the results.
  void leave();
  /// Like leave(), for a device that does not answer: releases nothing there.
  void abandon();
  /// Waits for results that are being saved, at most 2 s, at the end of the program.
  void finish_writing();
  /// True while another thread works, perhaps for ever.
  bool busy() const;

  /// The panel's data, renewed ten times a second and after every change.
  const TunerSnapshot& snapshot() const { return seen_; }

 private:
  void apply(TunerEvent event);
  void end(JobEnding ending, std::unique_ptr<TuneJob> job);
  void poll_workers(Turn& turn);
  void take_target();
  void save(const TuneJob& job);
  void use_results(const TuneJob& job);
  void publish();
  void release(std::unique_ptr<TuneJob> job);
  void abandon(std::unique_ptr<TuneJob> job);
  bool is_hung() const;
  TuneJob* sweeping_job() const;
  TunerSnapshot present(const std::optional<Ceilings>& ceilings) const;
  void present_results(TunerSnapshot& snapshot, const StoredSweep& stored) const;
  void present_sweep(TunerSnapshot& snapshot) const;

  TuneLookup lookup_;
  TunerPhase phase_;
  std::vector<std::future<void>> ending_jobs_;  // each completes when its job is destroyed
  Background<std::shared_ptr<const TunedChoices>> publishing_;
  cl::Event scene_done_;  // completes with what the scene had enqueued at the last mark
  std::string sweep_fault_;
  TunerSnapshot seen_;
  double seen_when_ = 0;
};

}  // namespace orrery::shell
