/// Random numbers that are the same with every compiler and library, unlike std::normal_distribution's.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <random>
#include <utility>

namespace orrery {

/// `Bits` is a generator of 64 random bits at a time.
template <class Bits>
class RandomNumbers {
 public:
  explicit RandomNumbers(Bits bits) : bits_(std::move(bits)) {}

  /// Uniform in (0, 1).
  double uniform() { return (static_cast<double>(bits_() >> 11) + 0.5) * 0x1p-53; }
  double uniform(double low, double high) { return low + (high - low) * uniform(); }
  /// Mean 0, variance 1 (Box and Muller).
  double normal() {
    const double radius = std::sqrt(-2 * std::log(uniform()));
    return radius * std::cos(2 * std::numbers::pi * uniform());
  }
  /// A vector of this length in a random direction.
  std::array<double, 3> on_sphere(double radius) {
    const double z = uniform(-1, 1);
    const double angle = 2 * std::numbers::pi * uniform();
    const double around = std::sqrt(1 - z * z);
    return {radius * around * std::cos(angle), radius * around * std::sin(angle), radius * z};
  }

 private:
  Bits bits_;
};

/// A sequential generator.
class Random : public RandomNumbers<std::mt19937_64> {
 public:
  explicit Random(std::uint64_t seed) : RandomNumbers(std::mt19937_64(seed)) {}
};

}  // namespace orrery
