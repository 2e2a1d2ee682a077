/// Conserved quantities of a state, and their rows in a file (the manual lists the columns). Plain values.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "scenes/nbody/model/integrator.hpp"

namespace orrery {

/// Mean and spread of the logarithms of a positive quantity over the bodies where it is not 0.
struct LogSpread {
  double mean = 0;
  double deviation = 0;
  bool known = false;
};
/// The spread from the number of logarithms, their sum and the sum of their squares.
LogSpread log_spread(double count, double sum, double squares);
/// The mean and spread of the positive values.
LogSpread log_spread(std::span<const double> values);

struct NbodyDiagnostics {
  std::int64_t step = 0;
  double time = 0;
  double kinetic = 0;
  double potential = 0;
  double mass = 0;
  std::array<double, 3> momentum{};
  std::array<double, 3> angular_momentum{};  ///< about the origin
  std::array<double, 3> centre{};            ///< centre of mass
  LogSpread speed, acceleration, depth;      ///< depth: −φ
  LogSpread measured;                        ///< the other measured quantity
  /// The shortest time in which a body would fall onto the others, if all its field came from one mass;
  /// infinite without a field.
  double free_fall = std::numeric_limits<double>::infinity();
  std::int64_t broken = 0;      ///< bodies with a position or velocity that is not finite
  std::int64_t gone = 0;        ///< bodies that have merged into others
  std::uint32_t hash = 0;       ///< hash of the state: see NbodyHasher
  bool potential_known = true;  ///< false: potential, depth and free_fall are invalid

  double total() const { return kinetic + potential; }
  double virial() const;  ///< 2K/|W|; 0 when there is no potential
};

/// One line of --diagnostics, without its line end; the header has a comment before it where units have names.
std::string csv_header_of_diagnostics(std::string_view units = {});
std::string csv_row(const NbodyDiagnostics& row);

/// Detects a wrong energy and too long a time step, and reports the cause if known. Plain values.
class StepWatch {
 public:
  static constexpr double most_energy = 0.01;  ///< share of the initial energy; a larger error gives a warning
  static constexpr double most_step = 0.25;    ///< share of the shortest free-fall time; a longer step gives a warning
  static constexpr double encounter = 0.1;     ///< likewise; only for longer steps the warning names an encounter

  /// `crowd`: see crowd_among; reported in place of all else while nothing softens, because no time step helps.
  explicit StepWatch(std::string crowd = {}) : crowd_(std::move(crowd)) {}
  const std::string& crowd() const { return crowd_; }

  /// Looks at each published state in turn; energies are compared with the first one's. Returns a sentence when a bound
  /// is crossed, else nothing: each is reported once, until the value has been within half the bound again. The energy
  /// is not checked where contacts change it. `dt` is 0 where each body takes its own steps.
  std::optional<std::string> look(const NbodyDiagnostics& row, double dt, double softening = 0,
                                  const Integrator& integrator = integrators().front(), bool keeps_energy = true);

 private:
  struct Reference {
    double total, scale;
  };
  std::string crowd_;
  bool crowd_is_told_ = false;
  std::optional<Reference> first_;
  bool energy_is_off_ = false, step_is_long_ = false;
  double longest_step_ = 0;  // longest step so far, in shortest free-fall times
};

}  // namespace orrery
