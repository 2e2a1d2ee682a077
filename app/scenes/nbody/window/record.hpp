/// What is told of bodies over time, and outlives the device that computes them. Window thread.
#pragma once

#include <memory>
#include <string>

#include "scenes/nbody/bodies/body_reading.hpp"
#include "scenes/nbody/model/diagnostics.hpp"
#include "scenes/nbody/window/measures.hpp"

namespace orrery {

struct NbodyRecord {
  NbodyDiagnostics diagnostics;  ///< the last ones
  DiagnosticsHistory history;
  StepWatch step_watch;
  SampledErrors errors;
  NbodySweep sweep;
  AccuracyMeasurement accuracy;
  std::shared_ptr<BodyReading> reading;  ///< of the file that the bodies to come begin from; null where there is none

  /// Adds what was published of the bodies. The plots have the moments at which the potential is known. `keeps_energy`:
  /// see StepWatch::look().
  void add(const NbodyDiagnostics& row, double dt, double softening, const Integrator& integrator, bool keeps_energy);
  /// The bodies go on from this time, in steps of `dt`: the plots end there.
  void return_to(double time, double dt);
  /// Other bodies, or another law of force: the plots begin anew.
  void forget_history();
  /// |E − E₀| / |E₀| since the plots began; no number before.
  double energy_error() const;
  void describe(NbodySnapshot& snapshot) const;
  /// The reading of that file, which goes on where it has begun; null for a named initial condition.
  std::shared_ptr<BodyReading> reading_of(const std::string& initial);
  /// What is being read is not wanted any more.
  void cancel_reading();
};

}  // namespace orrery
