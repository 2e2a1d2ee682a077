/// Lets the truth be told while the bodies run: once a published burst, but never more than a small share of the
/// device's time. Window thread; never waits.
#pragma once

#include "protocol/snapshot.hpp"
#include "scenes/nbody/checks/truth.hpp"

namespace orrery {

class NbodyProbe {
 public:
  /// The simulation has come to rest between two bursts. Begins, unless the last probe is still under way or was
  /// costly.
  void begin(NbodyTruth& truth, Queue& queue, const NbodySimulation& simulation, double softening, double seconds,
             double budget);
  /// Enqueues what is left, as much as fits into `budget` seconds of device time; true when the simulation may go on.
  bool go_on(NbodyTruth& truth, Queue& queue, const NbodySimulation& simulation, double budget);
  /// Takes over what has arrived.
  void collect(const NbodyTruth& truth);
  /// The truth that was given to begin() is still written to.
  bool under_way() const { return under_way_; }
  /// The device is let go: what is under way will not arrive.
  void abandon() { under_way_ = false; }
  void forget() { history_ = {}, spread_ = {}; }

  const AccelerationErrors& history() const { return history_; }
  /// Of the last probe's errors.
  const LogSpread& spread() const { return spread_; }

 private:
  bool under_way_ = false;
  std::uint64_t draw_ = 0;
  double began_ = 0;
  AccelerationErrors history_;
  LogSpread spread_;
};

}  // namespace orrery
