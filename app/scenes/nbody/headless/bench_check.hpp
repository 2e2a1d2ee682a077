/// Accelerations summed by the host in long double, and the share of a difference that rounding explains.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "scenes/nbody/bodies/body.hpp"
#include "scenes/nbody/model/settings.hpp"

namespace orrery::cli {

using Acceleration = std::array<double, 3>;

/// The error of the worst drawn body, and the bound of its rounding error; both relative to its
/// acceleration.
struct AccelerationCheck {
  double error = 0;
  double tolerance = 0;
};

/// Compares accelerations in `precision` of all `bodies` with the host's, for 32 bodies drawn at random (all if few).
/// `bodies` as the device holds them. Throws a failure that names `what`, the body and its error, when the error is
/// larger than rounding explains.
AccelerationCheck check_accelerations(const std::string& what, const Bodies& bodies,
                                      const std::vector<Acceleration>& accelerations, Precision precision,
                                      double softening, std::uint64_t draw);

}  // namespace orrery::cli
