/// Accelerations as the host sums them, in long double, and what rounding explains of a difference from them.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "scenes/nbody/bodies/body.hpp"
#include "scenes/nbody/model/settings.hpp"

namespace orrery::cli {

using Acceleration = std::array<double, 3>;

/// How far the worst of the drawn bodies is off, and how far rounding could have brought it; both relative to its
/// acceleration.
struct AccelerationCheck {
  double error = 0;
  double tolerance = 0;
};

/// Compares accelerations in `precision` of all `bodies` with the host's, for 32 bodies drawn at random (all of a few).
/// `bodies` as the device holds them. Throws a failure that names `what`, the body and its error, when rounding does
/// not explain it.
AccelerationCheck check_accelerations(const std::string& what, const Bodies& bodies,
                                      const std::vector<Acceleration>& accelerations, Precision precision,
                                      double softening, std::uint64_t draw);

}  // namespace orrery::cli
