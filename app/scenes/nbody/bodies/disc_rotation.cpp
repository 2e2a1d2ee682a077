#include "scenes/nbody/bodies/disc_rotation.hpp"

#include <array>
#include <cmath>
#include <cstddef>

namespace orrery {
namespace {

constexpr std::size_t wave_count = 2000;
constexpr double longest_wave = 1e-3, shortest_wave = 300;  // as wave numbers
constexpr std::size_t height_count = 24;

// Coefficients from the lowest power upwards.
template <std::size_t N>
double polynomial(const std::array<double, N>& coefficients, double x) {
  double sum = 0;
  for (std::size_t i = N; i-- > 0;) sum = sum * x + coefficients[i];
  return sum;
}

}  // namespace

double bessel_j1(double x) {
  if (x <= 3) {
    const double t = x / 3;
    return x * polynomial(std::array{0.5, -0.56249985, 0.21093573, -0.03954289, 0.00443319, -0.00031761, 0.00001109},
                          t * t);
  }
  const double t = 3 / x;
  const double amplitude =
      polynomial(std::array{0.79788456, 0.00000156, 0.01659667, 0.00017105, -0.00249511, 0.00113653, -0.00020033}, t);
  const double phase =
      x +
      polynomial(std::array{-2.35619449, 0.12499612, 0.00005650, -0.00637879, 0.00074348, 0.00079824, -0.00029166}, t);
  return amplitude * std::cos(phase) / std::sqrt(x);
}

std::vector<double> DiscRotation::heights(double thickness) {
  std::vector<double> heights;
  for (std::size_t i = 0; i < height_count; ++i)
    heights.push_back(thickness * std::atanh((2 * static_cast<double>(i) + 1) / height_count - 1));
  return heights;
}

DiscRotation::DiscRotation(double thickness, double softening) {
  const std::vector<double> z = heights(thickness);
  std::vector<double> separations;
  for (double a : z)
    for (double b : z) separations.push_back(std::hypot(a - b, softening));
  const double step = std::log(shortest_wave / longest_wave) / static_cast<double>(wave_count - 1);
  for (std::size_t i = 0; i < wave_count; ++i) {
    const double k = longest_wave * std::exp(step * static_cast<double>(i));
    double mean = 0;
    for (double separation : separations) mean += std::exp(-k * separation) / static_cast<double>(separations.size());
    wave_numbers_.push_back(k);
    weights_.push_back(step * k * k * std::pow(1 + k * k, -1.5) * mean);
  }
}

double DiscRotation::speed_squared(double radius) const {
  double sum = 0;
  for (std::size_t i = 0; i < wave_count; ++i) sum += weights_[i] * bessel_j1(wave_numbers_[i] * radius);
  return radius * sum;
}

}  // namespace orrery
