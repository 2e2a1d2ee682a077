/// Notices a fixed time step that is too long for the bodies: a close encounter. Plain values.
#pragma once

#include <optional>
#include <string>

#include "scenes/nbody/model/diagnostics.hpp"

namespace orrery {

class StepWatch {
 public:
  static constexpr double most_energy = 0.01;  ///< of the initial energy; a larger error gives a warning
  static constexpr double most_step = 0.25;    ///< of the shortest free-fall time; a longer step gives a warning

  /// Looks at each published state in turn; energies are compared with the first one's. Returns a sentence when a
  /// bound is crossed, else nothing: each is reported once, until the value has been within half the bound again.
  std::optional<std::string> look(const NbodyDiagnostics& row, double dt);

 private:
  struct Reference {
    double total, scale;
  };
  std::optional<Reference> first_;
  bool energy_is_off_ = false, step_is_long_ = false;
};

}  // namespace orrery
