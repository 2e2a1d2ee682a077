/// Tunes a kernel beside the running scene: a bounded slice at a time, in turns with the scene.
///
/// Looking at what is kept, building, checking, writing and letting go are on worker threads. Window thread; nothing
/// waits but the destructor: who leaves while busy() ends the process without it.
#pragma once

#include <future>
#include <memory>
#include <optional>

#include "base/files/path.hpp"
#include "compute/measure/roofline.hpp"
#include "compute/tuning/sweep.hpp"
#include "compute/tuning/tune_keeper.hpp"
#include "compute/tuning/tuned.hpp"
#include "protocol/command.hpp"
#include "protocol/snapshot.hpp"
#include "scenes/tune_catalog.hpp"

namespace orrery::shell {

class Tuner {
 public:
  /// Each frame: what the scene computes now. Looks up what is known of it.
  void follow(const SceneSnapshot& scene, const DeviceInfo& device, std::size_t devices,
              const std::optional<Ceilings>& ceilings);
  void look_at(const command::LookAtKernel& wanted);
  /// Nothing while a sweep is under way, or as long as it is not known what there is to tune; then false.
  bool start(const command::StartTuning& wanted, const Device& device);
  /// Ends after what is under way; asked again, at once.
  void cancel();
  /// A kernel's source is another one: what is known of the old one is stale, and nothing more is measured of it.
  void sources_changed();
  /// Throws a usage Error for a variant that is known not to work.
  void check_choosable(const command::ChooseVariant& choice) const;

  /// Each frame before the scene's update. Enqueues about `slice` seconds of device time, unless the scene still
  /// computes or it is its turn; true while the scene has to wait: never longer than a candidate may be silent.
  bool update(double slice);
  /// Each frame after it: the next slice waits for what the scene has enqueued until now.
  void mark_scene(Queue& queue);
  bool sweeping() const { return job_ != nullptr; }
  bool scene_runs() const { return !running_.kernel.empty(); }
  /// Once, after something has been found for automatic choices.
  bool found_something() { return std::exchange(found_, false); }
  /// What has gone wrong with keeping results, once.
  std::string fault() { return std::exchange(fault_, {}); }

  /// Lets go of the device, and keeps what has been found.
  void leave();
  /// Likewise, where it does not answer: what belongs to the candidate is never freed, and nobody tries it again.
  void abandon();
  /// Gives what has been found a moment to be written. The only other thing here that waits; for the end of the
  /// program.
  void finish_writing();
  /// Something is under way on another thread, or never ends.
  bool busy() const;

  /// What people see; taken anew now and then, and after every change of what it is of.
  const TunerSnapshot& snapshot() const { return seen_; }

 private:
  struct Looked {
    std::shared_ptr<TuneKeeper> keeper;
    TuneWork work;
    TuneQuestion question;
    TuneIdentity identity;
    std::vector<std::string> messages;
  };
  /// In the order in which they need each other.
  struct Job {
    // Of the sources as they are now, so that all candidates are of the same.
    explicit Job(const Device& device) : programs(device, *kernel_sources(), cache_folder()) {}
    ProgramLibrary programs;
    Background<std::unique_ptr<TuneTarget>> preparing;
    std::unique_ptr<TuneTarget> target;
    std::unique_ptr<Sweep> sweep;
  };

  void follow(const SceneSnapshot& scene, const DeviceInfo& device, std::size_t devices);
  TunerSnapshot present(const std::optional<Ceilings>& ceilings) const;
  void look();
  void take(Looked looked);
  void poll_workers();
  void begin_sweep(std::unique_ptr<TuneTarget> target);
  void keep();
  void publish();
  void finish();
  void retire();
  double silence() const;
  bool is_silent() const;
  const StoredSweep* kept() const;
  void take(TunerSnapshot& snapshot, const StoredSweep& stored) const;
  void take(TunerSnapshot& snapshot, const Job& job) const;

  DeviceInfo device_;
  TuneWork wanted_;
  std::string chosen_kernel_;  // that somebody asked to see; else the running one
  RunningVariant running_;
  std::string running_scene_, running_choices_;  // its name; its parameter "variant"
  std::string unavailable_;
  Background<Looked> looking_;
  std::optional<Looked> looked_;
  std::optional<TuneWork> asked_;  // of looking_

  command::StartTuning request_;
  std::unique_ptr<Job> job_;
  std::vector<std::future<void>> retired_;
  bool ending_ = false, found_ = false, abandoned_ = false;
  double saved_ = 0, heard_ = 0;  // of the sweep's time; of the clock, when the candidate last did something
  std::string sweep_fault_, fault_;
  TunerSnapshot seen_;
  double seen_when_ = 0;
  Background<std::shared_ptr<const TunedChoices>> publishing_;
  cl::Event scene_done_;  // completes with what the scene had enqueued at the last mark
};

}  // namespace orrery::shell
