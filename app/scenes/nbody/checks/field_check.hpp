/// Compares the field that a kernel has summed with the host's: accelerations, and the potential energy. Any thread;
/// plain values.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "scenes/nbody/bodies/body.hpp"
#include "scenes/nbody/model/settings.hpp"

namespace orrery {

/// An acceleration summed in long double.
struct ExpectedAcceleration {
  std::array<long double, 3> value{};
  long double tolerance = 0;  ///< bound of a kernel's rounding error
};
/// The acceleration of body `i`; `bodies` as the device holds them, in mixed precision with extra digits.
ExpectedAcceleration expected_acceleration(const Bodies& bodies, std::size_t i, Precision precision, double softening);

/// True if `found`, the error that 99 of 100 drawn bodies keep, exceeds the error that a tree promises by more than the
/// draw explains.
inline bool breaks_promise(double found, double promised) {
  constexpr double of_draws = 1.33;
  return !(found <= of_draws * promised);
}

/// Accelerations of a sample of the bodies, as expected.
class FieldReference {
 public:
  /// `bodies` as a kernel reads them: in mixed precision, in single.
  FieldReference(const Bodies& bodies, Precision precision, double softening);

  /// Describes the fault of the accelerations of all bodies; empty if they are correct. The first correct ones become
  /// the reference for bodies outside the sample.
  std::string fault(const std::vector<std::array<double, 3>>& accelerations);
  /// The same for the sample alone: the body and its expected acceleration.
  struct Wrong {
    std::size_t body = 0;
    std::array<double, 3> expected{};
    std::string fault;
  };
  std::optional<Wrong> first_wrong(const std::vector<std::array<double, 3>>& accelerations) const;

 private:
  struct Expected {
    std::size_t body = 0;
    ExpectedAcceleration acceleration;
  };

  std::vector<Expected> sample_;
  double largest_tolerance_ = 0;
  std::vector<std::array<double, 3>> others_;
};

/// The potential energy of a field against sums over all other bodies, in double on the host, for some of the bodies:
/// measures the accuracy of a tree's energy.
struct PotentialCheck {
  std::size_t bodies = 0;  ///< bodies that were summed again
  double error = 0;        ///< relative, of the potential energy; negative: too shallow
  double deviation = 0;    ///< standard deviation of this error, because only some bodies were summed; 0 where all were
};

/// `potentials`: the field's potential of each body. At most 64 bodies of many, or all of up to 256; takes a nanosecond
/// or two for each pair, on all cores.
PotentialCheck check_potential(const Bodies& bodies, std::span<const double> potentials, double softening);

}  // namespace orrery
