#include "cli/bench_nbody_check.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/text.hpp"
#include "model/nbody/truth.hpp"

namespace orrery::cli {
namespace {

constexpr std::uint32_t checked_bodies = 32;

struct Expected {
  std::array<long double, 3> acceleration{};
  long double magnitudes = 0;  // Σ |term|, which the rounding of terms and sums is relative to
  long double cut = 0;         // Σ |term|·(|x_i| + |x_j|) / r, likewise for coordinates that lose digits
};

long double length(const std::array<long double, 3>& v) { return std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

std::array<long double, 3> place(const Body& b) { return {b.x, b.y, b.z}; }

Expected expected_of(const Bodies& bodies, std::size_t i, long double softening) {
  Expected sum;
  const auto at = place(bodies[i]);
  const long double from_origin = length(at);
  for (const Body& b : bodies) {
    auto r = place(b);
    for (std::size_t k = 0; k < 3; ++k) r[k] -= at[k];
    const long double softened = std::sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + softening * softening);
    const long double pull = static_cast<long double>(b.mass) / (softened * softened * softened);
    for (std::size_t k = 0; k < 3; ++k) sum.acceleration[k] += pull * r[k];
    sum.magnitudes += pull * length(r);
    sum.cut += pull * (from_origin + length(place(b)));
  }
  return sum;
}

// With u the unit of rounding: a term's own operations come to less than 32 u of it; a sum of N rounded terms is off by
// less than 6·√N·u of their magnitudes, but for one time in 10⁹ (Higham & Mary, SIAM J. Sci. Comput. 41, 2019); and
// mixed precision takes coordinates without what they are off by, u of each, which a term multiplies by no more than 3.
long double tolerance_of(const Expected& expected, Precision precision, std::size_t bodies) {
  const long double unit = precision == Precision::double_ ? 0x1p-53L : 0x1p-24L;
  const long double terms = 32 + 6 * std::sqrt(static_cast<long double>(bodies));
  const long double coordinates = precision == Precision::mixed ? 3 : 0;
  return unit * (terms * expected.magnitudes + coordinates * expected.cut);
}

}  // namespace

AccelerationCheck check_accelerations(const std::string& what, const Bodies& bodies,
                                      const std::vector<Acceleration>& accelerations, Precision precision,
                                      double softening, std::uint64_t draw) {
  AccelerationCheck worst;
  const auto count = static_cast<std::uint32_t>(std::min<std::size_t>(bodies.size(), checked_bodies));
  for (std::uint32_t k = 0; k < count; ++k) {
    const std::uint32_t i = drawn_body(draw, k, bodies.size());
    const Expected expected = expected_of(bodies, i, softening);
    std::array<long double, 3> off = expected.acceleration;
    for (std::size_t axis = 0; axis < 3; ++axis) off[axis] -= accelerations[i][axis];
    const long double error = length(off), size = length(expected.acceleration);
    const long double tolerance = tolerance_of(expected, precision, bodies.size());
    const auto relative = [&](long double value) { return static_cast<double>(size > 0 ? value / size : value); };
    if (!(error <= tolerance))
      throw failure(what + " is wrong: the acceleration of body " + std::to_string(i) + " is off by " +
                    brief(relative(error)) + " of it, and rounding explains no more than " +
                    brief(relative(tolerance)));
    if (relative(error) >= worst.error) worst = {relative(error), relative(tolerance)};
  }
  return worst;
}

}  // namespace orrery::cli
