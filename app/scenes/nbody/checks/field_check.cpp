#include "scenes/nbody/checks/field_check.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <vector>

#include "base/platform/parallel.hpp"
#include "base/text.hpp"
#include "scenes/nbody/model/force_error_sample.hpp"

namespace orrery {
namespace {

constexpr std::size_t most_sampled = 256, fewest_sampled = 32;
constexpr std::size_t most_interactions = std::size_t{1} << 24;  // on the host: about a second

// The first and the last body, where a launch may be cut wrongly, and others at random.
std::set<std::size_t> sampled_bodies(std::size_t bodies) {
  const std::size_t wanted = std::min(bodies, std::clamp(most_interactions / bodies, fewest_sampled, most_sampled));
  std::set<std::size_t> sample{0, bodies - 1};
  for (std::uint32_t k = 0; k < wanted; ++k) sample.insert(drawn_body(0, k, bodies));
  return sample;
}

template <class T>
T length(const std::array<T, 3>& v) {
  return std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

template <class A, class B>
std::array<A, 3> difference(const std::array<A, 3>& a, const std::array<B, 3>& b) {
  return {a[0] - static_cast<A>(b[0]), a[1] - static_cast<A>(b[1]), a[2] - static_cast<A>(b[2])};
}

std::string off(std::size_t body, double error, double tolerance, double size) {
  return "the acceleration of body " + std::to_string(body) + " has a relative error of " + brief(error / size) +
         ", but rounding explains at most " + brief(tolerance / size);
}

}  // namespace

// u is the unit of rounding. A term's own operations come to less than 32 u of it; a sum of N rounded terms is off by
// less than 6·√N·u of their magnitudes, except once in 10⁹ (Higham & Mary, SIAM J. Sci. Comput. 41, 2019); mixed
// precision takes coordinates without their corrections, u of each, which a term multiplies by no more than 3.
ExpectedAcceleration expected_acceleration(const Bodies& bodies, std::size_t i, Precision precision, double softening) {
  const auto place = [](const Body& b) { return std::array<long double, 3>{b.x, b.y, b.z}; };
  const auto at = place(bodies[i]);
  ExpectedAcceleration expected;
  long double magnitudes = 0, cut = 0;  // Σ |term|; Σ |term|·(|x_i| + |x_j|) / r, for coordinates that lose digits
  for (const Body& b : bodies) {
    const auto r = difference(place(b), at);
    const long double softened = std::hypot(length(r), static_cast<long double>(softening));
    const long double pull = b.mass / (softened * softened * softened);
    for (std::size_t k = 0; k < 3; ++k) expected.value[k] += pull * r[k];
    magnitudes += pull * length(r);
    cut += pull * (length(at) + length(place(b)));
  }
  const long double unit = precision == Precision::double_ ? 0x1p-53L : 0x1p-24L;
  const long double terms = 32 + 6 * std::sqrt(static_cast<long double>(bodies.size()));
  const long double coordinates = precision == Precision::mixed ? 3 : 0;
  expected.tolerance = unit * (terms * magnitudes + coordinates * cut);
  return expected;
}

FieldReference::FieldReference(const Bodies& bodies, Precision precision, double softening) {
  const Precision taken = precision == Precision::mixed ? Precision::single : precision;
  for (const std::size_t body : sampled_bodies(bodies.size())) {
    sample_.push_back({body, expected_acceleration(bodies, body, taken, softening)});
    largest_tolerance_ = std::max(largest_tolerance_, static_cast<double>(sample_.back().acceleration.tolerance));
  }
}

std::optional<FieldReference::Wrong> FieldReference::first_wrong(
    const std::vector<std::array<double, 3>>& accelerations) const {
  for (const auto& [body, expected] : sample_) {
    const long double error = length(difference(expected.value, accelerations[body]));
    if (error <= expected.tolerance) continue;
    Wrong wrong{body,
                {},
                off(body, static_cast<double>(error), static_cast<double>(expected.tolerance),
                    static_cast<double>(length(expected.value)))};
    std::ranges::transform(expected.value, wrong.expected.begin(),
                           [](long double x) { return static_cast<double>(x); });
    return wrong;
  }
  return std::nullopt;
}

std::string FieldReference::fault(const std::vector<std::array<double, 3>>& accelerations) {
  for (std::size_t i = 0; i < accelerations.size(); ++i)
    if (!std::isfinite(length(accelerations[i])))
      return "the acceleration of body " + std::to_string(i) + " is NaN or infinite";
  if (const auto wrong = first_wrong(accelerations)) return wrong->fault;
  if (others_.empty()) {
    others_ = accelerations;
    return {};
  }
  // The sample's largest tolerance holds for every body; some bodies lie where forces are larger.
  const double tolerance = 8 * largest_tolerance_;
  for (std::size_t i = 0; i < accelerations.size(); ++i)
    if (const double error = length(difference(accelerations[i], others_[i])); error > tolerance)
      return off(i, error, tolerance, length(others_[i]));
  return {};
}

// ---- the potential

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
