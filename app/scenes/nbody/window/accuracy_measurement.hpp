/// Measures what accuracy costs, on a worker thread and in a context of its own. The result outlives the device that
/// shows the bodies. Window thread; nothing waits but the destructor, for one step.
#pragma once

#include <atomic>
#include <memory>

#include "base/work/background.hpp"
#include "compute/device/device_info.hpp"
#include "scenes/nbody/checks/accuracy_survey.hpp"
#include "scenes/nbody/panels/snapshot.hpp"
#include "scenes/nbody/window/preparation.hpp"

namespace orrery {

class AccuracyMeasurement {
 public:
  AccuracyMeasurement() = default;
  ~AccuracyMeasurement() { cancel(); }
  AccuracyMeasurement(const AccuracyMeasurement&) = delete;
  AccuracyMeasurement& operator=(const AccuracyMeasurement&) = delete;

  /// Measures with these bodies, or where `state` is null with those of the initial condition.
  void start(const DeviceInfo& device, const NbodySettings& settings, std::shared_ptr<const NbodyState> state);
  void cancel() { run_->stop = true; }
  bool running() const { return work_.busy(); }
  void poll();
  AccuracyCosts result() const;

 private:
  struct Run {
    std::atomic<bool> stop = false;
    std::atomic<double> done = 0;
  };
  std::shared_ptr<Run> run_ = std::make_shared<Run>();
  AccuracyCosts result_;
  Background<std::optional<SurveyedCosts>> work_;
};

}  // namespace orrery
