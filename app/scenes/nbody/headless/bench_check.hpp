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
  double median = 0, p90 = 0, largest = 0;  ///< of a tree's errors; 0 where rounding explains all
};

/// Compares accelerations in `precision` of all `bodies` with the host's, for 32 bodies drawn at random (all if few).
/// `bodies` as the device holds them. Throws a failure that names `what`, the body and its error, when the error is
/// larger than rounding explains.
AccelerationCheck check_accelerations(const std::string& what, const Bodies& bodies,
                                      const std::vector<Acceleration>& accelerations, Precision precision,
                                      double softening, std::uint64_t draw);

/// The same for a tree, which leaves something out: `error` is that of 99 of 100 of 256 random bodies, `tolerance` the
/// one `promised`, infinite where nothing is. Throws a failure where it is a third larger, which chance does not
/// explain.
AccelerationCheck check_tree(const std::string& what, const Bodies& bodies,
                             const std::vector<Acceleration>& accelerations, double promised, double softening,
                             std::uint64_t draw);

}  // namespace orrery::cli
