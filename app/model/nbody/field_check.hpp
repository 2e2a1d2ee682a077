/// The field that a kernel has summed, compared with the host's. Any thread; plain values.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "model/nbody/body.hpp"
#include "model/nbody/settings.hpp"

namespace orrery {

/// Accelerations of a sample of the bodies, summed in long double on the host, and how far rounding may take a kernel
/// from them.
class FieldReference {
 public:
  /// `bodies` as the device holds them, in its precision.
  FieldReference(const Bodies& bodies, Precision precision, double softening);

  /// How the accelerations of all bodies are wrong, empty when they are right. The first ones that are right serve as
  /// reference for the bodies that are not in the sample.
  std::string fault(const std::vector<std::array<double, 3>>& accelerations);

 private:
  struct Expected {
    std::size_t body = 0;
    std::array<long double, 3> acceleration{};
    long double tolerance = 0;
  };
  Expected expected_of(const Bodies& bodies, std::size_t i) const;

  Precision precision_;
  double softening_;
  std::vector<Expected> sample_;
  double largest_tolerance_ = 0;
  std::vector<std::array<double, 3>> others_;
};

}  // namespace orrery
