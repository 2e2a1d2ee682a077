/// Which kernel of the scene can be tuned, with what is known of it.
///
/// Window thread; the file of results and the kernel's sources are read on a worker thread.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/work/background.hpp"
#include "compute/tuning/tune_catalog.hpp"
#include "compute/tuning/tune_keeper.hpp"
#include "protocol/snapshot.hpp"

namespace orrery::shell {

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

}  // namespace orrery::shell
