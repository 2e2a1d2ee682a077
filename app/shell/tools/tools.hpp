/// The tools that measure or change the computation of the scene.
///
/// Window thread.
#pragma once

#include <atomic>
#include <memory>
#include <optional>

#include "base/clock.hpp"
#include "base/files/path.hpp"
#include "base/timeline.hpp"
#include "base/work/background.hpp"
#include "compute/device/device.hpp"
#include "compute/device/device_info.hpp"
#include "compute/measure/roofline.hpp"
#include "scene/scene.hpp"
#include "shell/devices/device_session.hpp"
#include "shell/files/document.hpp"
#include "shell/tools/kernel_editor.hpp"
#include "shell/tools/kernel_table.hpp"
#include "shell/tools/tuner.hpp"
#include "shell/window/options.hpp"

namespace orrery::shell {

/// Compares two computations of a scene's state on a worker thread and in separate contexts, while the scene runs.
/// Window thread. Only the destructor waits, for one slice or one build.
class Comparer {
 public:
  Comparer() = default;
  ~Comparer() { cancel(); }
  Comparer(const Comparer&) = delete;
  Comparer& operator=(const Comparer&) = delete;

  /// The first device computes with the scene's settings. No effect during a comparison.
  void start(std::array<DeviceInfo, 2> devices, ComparisonJob job);
  void cancel() { run_->stop = true; }
  bool busy() const { return work_.busy(); }
  /// Rethrows an exception of the comparison once.
  void poll();
  ComparisonSnapshot snapshot() const { return {busy(), run_->done, result_}; }

 private:
  struct Run {
    std::atomic<bool> stop = false;
    std::atomic<double> done = 0;
  };
  std::shared_ptr<Run> run_ = std::make_shared<Run>();
  std::optional<Comparison> result_;
  Background<std::optional<Comparison>> work_;
};

/// The ceilings of the device in use: read from disk, or measured while the scene runs, in runs of a millisecond.
/// Window thread. Only the destructor waits, for one run.
class CeilingsKeeper {
 public:
  CeilingsKeeper() = default;
  ~CeilingsKeeper() { *stop_ = true; }
  CeilingsKeeper(const CeilingsKeeper&) = delete;
  CeilingsKeeper& operator=(const CeilingsKeeper&) = delete;

  /// Called each frame with the device in use.
  void follow(const DeviceInfo& device);
  void measure(const Device& device);
  bool measuring() const { return work_.busy(); }
  /// Rethrows an exception of the measurement once.
  void poll();
  const std::optional<Ceilings>& known() const { return known_; }

 private:
  struct Measured {
    std::string of;
    std::optional<Ceilings> ceilings;  // nothing: cancelled
  };
  std::string of_;  // identity of the device in use
  std::optional<Ceilings> known_;
  std::shared_ptr<std::atomic<bool>> stop_ = std::make_shared<std::atomic<bool>>(false);
  Background<Measured> work_;
};

/// Measures how long a condition has held without a break. A plain value; seconds of one clock.
class Spell {
 public:
  explicit Spell(double limit) : limit_(limit) {}
  /// True once, when the condition has held longer than the limit.
  bool follow(bool holds, double now) {
    const bool was_long = is_long();
    if (!holds) began_.reset();
    if (holds && !began_) began_ = now;
    length_ = began_ ? now - *began_ : 0;
    return is_long() && !was_long;
  }
  bool is_long() const { return length_ > limit_; }

 private:
  double limit_, length_ = 0;
  std::optional<double> began_;
};

/// Watches how long kernels are being built. A plain value; seconds of one clock.
class BuildWatch {
 public:
  /// Called each frame. True once, when the user should learn that builds take long.
  bool follow(bool building, bool cancellable, double now) {
    cancellable_.follow(cancellable, now);
    return building_.follow(building, now);
  }
  double limit() const { return patience(5); }
  /// True while a slow build can be cancelled.
  bool offers_cancel() const { return cancellable_.is_long(); }

 private:
  Spell building_{limit()}, cancellable_{2};
};

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
  /// Called each frame before the scene's update: the tuner takes its turn.
  void take_turn(ComputeContext& context, const Scenes& scenes);
  /// Called each frame: watches builds. True while a compiler runs.
  bool watch_builds(const OpenDevices* devices, const Scene* scene, double now);
  bool offers_cancel() const { return builds_.offers_cancel(); }
  /// Fills in the tools' part; `snapshot` already has the scene's.
  void fill(WindowSnapshot& snapshot, OpenDevices* devices, double now);
  /// True while a worker thread runs.
  bool busy() const;
  /// Saves the tuner's results at the end of the program.
  void leave();

 private:
  bool can_cancel_builds(const OpenDevices* devices, const Scene* scene) const;
  void begin_first_tuning(const Device& device);
  void poll();

  Notices& notices_;
  TimelineKeeper timeline_;
  Tuner tuner_;
  double first_tuning_;  // seconds of the sweep of --tune, until it begins; 0: none
  KernelEditor editor_{{kernel_folder(), KernelEditStore::default_folder()}};
  KernelTable kernels_;
  CeilingsKeeper ceilings_;
  Comparer comparer_;
  BuildWatch builds_;
};

}  // namespace orrery::shell
