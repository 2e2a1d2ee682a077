/// What a person can set of an n-body simulation (DESIGN section 8). Units: G = 1.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/parameter.hpp"
#include "compute/device/device_info.hpp"

namespace orrery {

enum class Integrator { tutorial, leapfrog, yoshida4 };
/// mixed: forces in single, positions and velocities to twice its digits.
enum class Precision { single, mixed, double_ };
/// How forces are summed: each body gathers its own, or each pair of bodies is seen once.
enum class Forces { automatic, gather, pairs };

struct NbodySettings {
  std::int64_t bodies = 0;  ///< 0: what suits the initial condition and the device
  std::string initial = "galaxies";
  std::int64_t seed = 1;
  double dt = 0.01;
  double softening = 0.05;  ///< ε in r² + ε²
  std::int64_t burst = 1;   ///< time steps between two published frames
  std::string integrator = "leapfrog";
  std::string precision = "single";
  std::string forces = "auto";
  std::int64_t work_group = 0;   ///< 0: what suits the device
  std::string variant = "auto";  ///< of kernels, as the tuner names them (variant_text.hpp)
  bool operator==(const NbodySettings&) const = default;
};

/// `fp64` tells whether the device computes in double. `initial` takes any text here; see initial.hpp.
std::vector<Parameter> parameters(NbodySettings& settings, bool fp64);

/// Throws a usage Error for a variant that no device has. Whether this one has it, its kernels tell.
void check_variant(const NbodySettings& settings);
Integrator integrator_of(const NbodySettings& settings);
Forces forces_of(const NbodySettings& settings);
/// Throws a usage Error when the device has no doubles and they are asked for.
Precision precision_of(std::string_view name, const DeviceInfo& device);
inline Precision precision_of(const NbodySettings& settings, const DeviceInfo& device) {
  return precision_of(settings.precision, device);
}

}  // namespace orrery
