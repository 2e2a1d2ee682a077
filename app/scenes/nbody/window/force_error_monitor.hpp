/// Samples the errors of accelerations while the bodies run, within a share of the device's time: once a published
/// burst at most. Window thread; never waits.
#pragma once

#include "scenes/nbody/model/force_error_sample.hpp"
#include "scenes/nbody/panels/snapshot.hpp"

namespace orrery {

/// The errors that were sampled; they outlive a device.
struct SampledErrors {
  AccelerationErrors history;
  LogSpread spread;              ///< of the last sample
  std::vector<double> recent;    ///< of the bodies of the last samples, the oldest first
  ErrorPercentiles percentiles;  ///< of these
  /// Errors will be of another kind from now on.
  void forget_recent() { recent.clear(), percentiles = {}; }
};

class ForceErrorMonitor {
 public:
  /// The simulation has come to rest between two bursts. Begins a sample, unless the last one is still under way or
  /// was costly.
  void begin(ForceErrorSample& sample, Queue& queue, const NbodySimulation& simulation, double softening,
             double seconds, double budget);
  /// Enqueues what is left, as much as fits into `budget` seconds of device time; true when the simulation may go on.
  bool go_on(ForceErrorSample& sample, Queue& queue, const NbodySimulation& simulation, double budget);
  /// Takes a sample that has arrived.
  void collect(const ForceErrorSample& sample, SampledErrors& errors);
  /// The sample that was given to begin() is still written to.
  bool under_way() const { return sample_ == Sample::under_way; }
  /// The sample under way will not arrive.
  void forget() { sample_ = Sample::none; }

 private:
  enum class Sample { none, under_way };

  Sample sample_ = Sample::none;
  std::uint64_t draw_ = 0;
  double began_ = 0;
};

}  // namespace orrery
