/// Tunes a kernel beside the running scene: a short slice at a time, in turns with the scene.
///
/// Window thread. Nothing waits but the destructor and finish_writing(); where the tuner is busy(), the process ends
/// without the destructor.
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

/// Which kernel of the scene can be tuned, with what is known of it. The file of results and the kernel's sources are
/// read on a worker thread.
class TuneLookup {
 public:
  /// What is known.
  struct Result {
    std::shared_ptr<TuneKeeper> keeper;
    TuneWork work;
    TuneQuestion question;
    TuneIdentity identity;
    std::vector<std::string> messages;

    /// The results with these sources; null where there are none.
    const StoredSweep* stored() const { return keeper->store().find(identity); }
    /// The results with other sources or another driver; null where there are none.
    const StoredSweep* stale() const { return keeper->store().stale(identity); }
  };

  enum class Change { none, problem, kernel };
  /// Each frame: what the scene computes now, on how many devices. While `fixed`, nothing else is looked up. Returns
  /// what else is looked up than before.
  Change follow(const SceneSnapshot& scene, const DeviceInfo& device, std::size_t devices, bool fixed);
  /// Prefers the kernel of that name to the running one.
  void prefer(std::string kernel) { preferred_ = std::move(kernel); }
  /// The sources have changed: looks up the same again.
  void repeat() {
    if (asked_) ask();
  }
  enum class Finding { none, known, other_source };
  /// Takes over the finished look-up. Throws what it threw.
  Finding poll();

  /// Why nothing can be tuned; empty when it can.
  const std::string& unavailable() const { return unavailable_; }
  const DeviceInfo& device() const { return device_; }
  const TuneWork& work() const { return work_; }
  /// The name of the scene that work() is of.
  const std::string& scene() const { return scene_; }
  /// Null until something is known of any kernel; perhaps of an earlier one.
  const std::optional<Result>& newest() const { return result_; }
  /// Null until something is known of work().
  const Result* result() const { return result_ && result_->work == work_ ? &*result_ : nullptr; }
  /// The running scene has told which kernel it runs.
  bool scene_runs() const { return !running_.variant.kernel.empty(); }
  /// The values that the kernel runs with; empty when unknown.
  TuneValues in_use(const Result& result) const;
  bool busy() const { return looking_.busy(); }

 private:
  struct Running {
    const TuneCatalog* catalog = nullptr;
    RunningVariant variant;
    std::string choices;  // of the scene's parameter "variant"
  };
  void ask();

  DeviceInfo device_;
  Running running_;
  std::string preferred_;  // kernel
  TuneWork work_;
  std::string scene_;
  std::string unavailable_;
  std::optional<TuneWork> asked_;  // what looking_ looks up, or has looked up
  Background<Result> looking_;
  std::optional<Result> result_;
};

class Tuner {
 public:
  /// Each frame: what the scene computes now. Looks up what is known of it.
  void follow(const SceneSnapshot& scene, const DeviceInfo& device, std::size_t devices,
              const std::optional<Ceilings>& ceilings);
  void look_at(const command::LookAtKernel& wanted) { lookup_.prefer(wanted.kernel); }
  /// False, with no effect, while a sweep is under way, or as long as it is not known what there is to tune.
  bool start(const command::StartTuning& wanted, const Device& device);
  /// Ends after the build or launch under way; at once where it is called again.
  void cancel();
  /// A kernel's source has changed: results of the old source are stale, and its sweep ends.
  void sources_changed() { lookup_.repeat(); }
  /// Throws a usage Error for a variant that is known not to work.
  void check_choosable(const command::ChooseVariant& choice) const;

  /// What a frame's turn of the tuner brings.
  struct Turn {
    bool scene_waits = false;    ///< the tuner times a candidate: never longer than a candidate may be silent
    bool found_choices = false;  ///< automatic choices have changed
    std::string fault;           ///< results cannot be saved; told once
  };
  /// Each frame before the scene's update. Enqueues about `slice` seconds of device time, unless the scene still
  /// computes or it is its turn.
  Turn update(double slice);
  /// Each frame after it: the next slice waits for what the scene has enqueued until now.
  void mark_scene(Queue& queue);
  bool sweeping() const { return !std::holds_alternative<tuner_phase::Idle>(phase_); }
  bool scene_runs() const { return lookup_.scene_runs(); }

  /// Releases the device, and saves what has been found.
  void leave();
  /// As leave(), where the device does not answer: nothing is released there.
  void abandon();
  /// Waits for results that are being saved, 2 s at most; for the end of the program.
  void finish_writing();
  /// Something is under way on another thread, perhaps without end.
  bool busy() const;

  /// What the panel shows; renewed now and then, and after every change.
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
