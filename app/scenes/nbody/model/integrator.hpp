/// The integrators, one row each: options, help, kernels and time steps follow from this table.
///
/// A step is a sequence of substeps. A substep kicks the velocities (v += a·kick·dt), drifts the positions
/// (x += v·drift·dt), evaluates the field there and kicks again. Plain values.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace orrery {

/// Weights of the time step.
struct Substep {
  double kick = 0;  ///< before the drift, with the field at the old positions
  double drift = 0;
  double kick_after = 0;  ///< after the drift, with the field at the new positions
};

struct Integrator {
  std::string_view name;
  std::string_view title;          ///< name in the window; empty: derived from `name`
  int order;                       ///< the error after a fixed time is proportional to dt^order
  std::string_view definition;     ///< for compiling nbody_advance.cl; empty for kicks and drifts
  std::array<Substep, 7> weights;  ///< the first `count` are used
  std::size_t count;

  constexpr std::span<const Substep> substeps() const { return {weights.data(), count}; }

  /// True if a kick uses the field after substep `index` of a step that is not the last. Else the field is evaluated
  /// only to publish the end of a burst.
  constexpr bool uses_field_after(std::size_t index) const {
    return weights[index].kick_after != 0 || weights[(index + 1) % count].kick != 0;
  }
  /// Force evaluations per step. A burst takes one more where the end of a step needs no field.
  constexpr int evaluations() const {
    int sum = 0;
    for (std::size_t k = 0; k < count; ++k) sum += uses_field_after(k) ? 1 : 0;
    return sum;
  }
};

/// The rows of the table (integrator.cpp). The default comes first.
std::span<const Integrator> integrators();
inline const Integrator& default_integrator() { return integrators().front(); }
/// The row of this name; the default for a name that is not in the table.
const Integrator& integrator_of(std::string_view name);
/// "leapfrog | yoshida4 | …"
const std::string& integrator_choices();
/// Order and force evaluations of each, in one line.
const std::string& integrator_help();

}  // namespace orrery
