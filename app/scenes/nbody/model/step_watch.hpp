/// Notices where a fixed time step is too long for what the bodies do: a close encounter. Plain values.
#pragma once

#include <optional>
#include <string>

#include "scenes/nbody/model/diagnostics.hpp"

namespace orrery {

class StepWatch {
 public:
  static constexpr double most_energy = 0.01;  ///< of the energy at first: more is told
  static constexpr double most_step = 0.25;    ///< of the shortest free-fall time: a longer step is told

  /// Of each published state in turn; energies are compared with the first one's. A sentence where a
  /// bound is crossed from within, else nothing: it is told once, until it has been within half the bound again.
  std::optional<std::string> look(const NbodyDiagnostics& row, double dt);

 private:
  struct Reference {
    double total, scale;
  };
  std::optional<Reference> first_;
  bool energy_is_off_ = false, step_is_long_ = false;
};

}  // namespace orrery
