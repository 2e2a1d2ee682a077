#include "scenes/nbody/checks/potential_check.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "base/work/parallel.hpp"
#include "scenes/nbody/model/force_error_sample.hpp"

namespace orrery {
namespace {

constexpr std::uint32_t drawn_of_many = 64;
constexpr std::size_t block = 4096;  // bodies that stay in a core's cache

std::vector<std::uint32_t> drawn_from(std::size_t bodies) {
  std::vector<std::uint32_t> drawn(bodies <= drawn_bodies ? bodies : drawn_of_many);
  for (std::uint32_t k = 0; k < drawn.size(); ++k) drawn[k] = drawn_body(0, k, bodies);
  return drawn;
}

// −Σ m/√(r² + ε²) over the bodies from `begin` to `end` but the one at `own`.
double pull(const Bodies& bodies, std::size_t begin, std::size_t end, std::size_t own, double softening2) {
  const Body& at = bodies[own];
  double sum = 0;
  for (std::size_t j = begin; j < end; ++j) {
    const Body& b = bodies[j];
    const double x = b.x - at.x, y = b.y - at.y, z = b.z - at.z;
    const double r2 = x * x + y * y + z * z + softening2;
    if (j != own && r2 > 0) sum -= b.mass / std::sqrt(r2);
  }
  return sum;
}

// Added up in the order of the blocks, whatever thread summed them.
std::vector<double> true_potentials(const Bodies& bodies, std::span<const std::uint32_t> drawn, double softening) {
  const std::size_t blocks = (bodies.size() + block - 1) / block;
  std::vector<double> sums(blocks * drawn.size()), potentials(drawn.size());
  in_parallel(blocks, [&](std::size_t from, std::size_t to) {
    for (std::size_t b = from; b < to; ++b)
      for (std::size_t k = 0; k < drawn.size(); ++k)
        sums[b * drawn.size() + k] =
            pull(bodies, b * block, std::min((b + 1) * block, bodies.size()), drawn[k], softening * softening);
  });
  for (std::size_t i = 0; i < sums.size(); ++i) potentials[i % drawn.size()] += sums[i];
  return potentials;
}

}  // namespace

// W = ½ Σ m·φ, so that its error is that of the sums of m·φ: a ratio of two means over the drawn bodies.
PotentialCheck check_potential(const Bodies& bodies, std::span<const double> potentials, double softening) {
  const std::vector<std::uint32_t> drawn = drawn_from(bodies.size());
  const std::vector<double> truths = true_potentials(bodies, drawn, softening);
  double off = 0, all = 0;
  for (std::size_t k = 0; k < drawn.size(); ++k) {
    off += bodies[drawn[k]].mass * (potentials[drawn[k]] - truths[k]);
    all += bodies[drawn[k]].mass * truths[k];
  }
  PotentialCheck result{.bodies = drawn.size()};
  if (!(all < 0)) return result;
  result.error = off / all;
  if (drawn.size() == bodies.size()) return result;
  double squares = 0;
  for (std::size_t k = 0; k < drawn.size(); ++k) {
    const double rest = bodies[drawn[k]].mass * (potentials[drawn[k]] - truths[k] - result.error * truths[k]);
    squares += rest * rest;
  }
  const auto n = static_cast<double>(drawn.size());
  result.deviation = std::sqrt(n / (n - 1) * squares) / -all;
  return result;
}

}  // namespace orrery
