/// Compares two ways of computing what a scene shows, on a worker thread and on contexts of its own, beside the scene.
#pragma once

#include <atomic>
#include <memory>

#include "base/work/background.hpp"
#include "compute/device/device_info.hpp"
#include "scene/scene.hpp"

namespace orrery::shell {

/// Window thread. Only the destructor waits, for one slice or one build.
class Comparer {
 public:
  Comparer() = default;
  ~Comparer() { cancel(); }
  Comparer(const Comparer&) = delete;
  Comparer& operator=(const Comparer&) = delete;

  /// The first device computes as the scene does. No effect while a comparison runs.
  void start(std::array<DeviceInfo, 2> devices, ComparisonJob job);
  void cancel() { run_->stop = true; }
  bool busy() const { return work_.busy(); }
  /// Throws what the comparison threw, once.
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

}  // namespace orrery::shell
