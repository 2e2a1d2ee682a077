/// The history and messages of bodies, which outlive the device that computes them. Window thread.
#pragma once

#include <memory>
#include <string>

#include "scenes/nbody/bodies/body_reading.hpp"
#include "scenes/nbody/model/diagnostics.hpp"
#include "scenes/nbody/window/measures.hpp"

namespace orrery {

struct NbodyRecord {
  NbodyDiagnostics diagnostics;  ///< the latest ones
  DiagnosticsHistory history;
  StepWatch step_watch;
  SampledErrors errors;
  NbodySweep sweep;
  AccuracyMeasurement accuracy;
  std::shared_ptr<BodyReading> reading;  ///< reading of the file with the next bodies, or null

  /// Adds published diagnostics. The plots have the moments at which the potential is known. `keeps_energy`: see
  /// StepWatch::look().
  void add(const NbodyDiagnostics& row, double dt, double softening, const Integrator& integrator, bool keeps_energy);
  /// The bodies continue from this time, in steps of `dt`: the plots end there.
  void return_to(double time, double dt);
  /// Restarts the plots, for other bodies or another law of force.
  void forget_history();
  /// |E − E₀| / |E₀| since the plots began; NaN before.
  double energy_error() const;
  void describe(NbodySnapshot& snapshot) const;
  /// The reading of that file, continued if it has begun; null for a named initial condition.
  std::shared_ptr<BodyReading> reading_of(const std::string& initial);
  /// Cancels the present reading.
  void cancel_reading();
};

}  // namespace orrery
