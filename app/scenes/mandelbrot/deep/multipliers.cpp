#include "scenes/mandelbrot/deep/multipliers.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>

#include "scenes/mandelbrot/deep/parabolic.hpp"

namespace orrery::mandelbrot {
namespace {

using Number = CycleMultipliers::Number;

constexpr std::size_t samples = 2 * CycleMultipliers::terms;
// Coefficients serve a circle smaller by this factor than the circle on which they were found: there the omitted terms
// are below a double's digits.
constexpr double shrinks = 3;

using Samples = std::array<Number, samples>;

Number root_of_unity(std::size_t k, double parts = samples) {
  return std::polar(1.0, 2 * std::numbers::pi * static_cast<double>(k) / parts);
}

// λ/λ_0 − 1 on a circle of ε.
class Circle {
 public:
  // `cycle`: the parabolic one; it outlives the circle.
  Circle(const std::vector<Number>& cycle, int turns, double radius)
      : cycle_(cycle), radius_(radius), turns_(static_cast<std::size_t>(turns)) {}

  /// The values for the cycle of period p and for the cycle that parts from it; with q = 1 both are one. `aside` is a
  /// point of the latter where the circle begins: approximate on entry, exact on return.
  std::optional<std::array<Samples, 2>> values(Number& aside) const {
    const Number slope_at_0 = at(0, 0, 1).slope;
    std::array<Samples, 2> found;
    Number between = 0, y = aside;
    for (std::size_t k = 0; k < samples; ++k) {
      std::optional<Number> other;
      if (turns_ > 1) {
        const std::optional<Motion> motion = fixed(between, {}, epsilon(k), 1);
        if (!motion) return {};
        found[0][k] = motion->slope / slope_at_0 - 1.0;
        other = between;
      }
      const std::optional<Motion> motion = fixed(y, other, epsilon(k), turns_);
      if (!motion) return {};
      found[1][k] = motion->slope - 1.0;
      if (k == 0) aside = y;
      y *= root_of_unity(1, samples * static_cast<double>(turns_));
    }
    if (turns_ == 1) found[0] = found[1];
    return found;
  }

 private:
  struct Motion {
    Number moved, slope;  // f^n(y) − y and its derivative plus 1
  };

  Number epsilon(std::size_t k) const { return radius_ * root_of_unity(turns_ == 1 ? 2 * k : k); }

  // The motion after p·times iterations.
  Motion at(Number y, Number epsilon, std::size_t times) const {
    Number delta = y, slope = 1;
    for (std::size_t i = 0; i < times * cycle_.size(); ++i) {
      const Number z = cycle_[i % cycle_.size()];
      slope *= 2.0 * (z + delta);
      delta = (2.0 * z + delta) * delta + epsilon;
    }
    return {delta - y, slope};
  }
  // Newton's method for a fixed point of f^(p·times) other than `other`.
  std::optional<Motion> fixed(Number& y, std::optional<Number> other, Number epsilon, std::size_t times) const {
    for (int step = 0; step < 24; ++step) {
      const Motion motion = at(y, epsilon, times);
      const Number deflated = other ? motion.moved / (y - *other) : 0.0;
      const Number correction = motion.moved / (motion.slope - 1.0 - deflated);
      if (!std::isfinite(std::abs(correction))) return {};
      y -= correction;
      // A correction after a small one is rounding.
      if (std::abs(correction) <= 1e-9 * std::abs(y)) return at(y, epsilon, times);
    }
    return {};
  }

  const std::vector<Number>& cycle_;
  double radius_;
  std::size_t turns_;
};

// Nothing where it is no analytic function of ε that vanishes at 0, or not smooth enough for a sum that shows |λ| < 1.
std::optional<std::vector<Number>> coefficients_of(const Samples& values) {
  Samples roots, all{};
  for (std::size_t k = 0; k < samples; ++k) roots[k] = root_of_unity(k);
  double largest = 0;
  for (std::size_t m = 0; m < samples; ++m) {
    for (std::size_t k = 0; k < samples; ++k) all[m] += values[k] * std::conj(roots[k * m % samples]);
    all[m] /= static_cast<double>(samples);
    largest = std::max(largest, std::abs(all[m]));
  }
  const auto negligible = [&](Number rest) { return std::abs(rest) <= 1e-12 * std::min(largest, 4.0); };
  if (!negligible(all[0]) || !std::all_of(all.begin() + CycleMultipliers::terms - 4, all.end(), negligible)) return {};
  std::vector<Number> found;
  for (std::size_t m = 1; m <= CycleMultipliers::terms; ++m)
    found.push_back(all[m] * std::pow(shrinks, -static_cast<double>(m)));
  return found;
}

}  // namespace

// A larger circle serves farther; points on a small one lead to those on the next.
CycleMultipliers::CycleMultipliers(const ParabolicPoint& point, Number bend, Number by_c) {
  constexpr double grows = 2;
  constexpr int circles = 20;
  const std::vector<Number> cycle = cycle_of(point);
  const double power = point.turns == 1 ? 2 : point.turns;
  double radius = std::pow(grows, -circles) * (point.turns == 1 ? 4 / std::abs(bend * by_c) : 4 / std::abs(by_c));
  Number aside = std::pow(-by_c * radius / bend, 1 / power);
  for (int k = 0; k < circles; ++k, radius *= grows, aside *= std::pow(grows, 1 / power)) {
    const Circle circle(cycle, point.turns, radius);
    const auto values = circle.values(aside);
    const auto parting = values ? coefficients_of((*values)[1]) : std::nullopt;
    const auto first = parting ? coefficients_of((*values)[0]) : std::nullopt;
    if (!first && reach_ > 0) return;
    if (!first) continue;
    coefficients_ = *first;
    coefficients_.insert(coefficients_.end(), parting->begin(), parting->end());
    if (point.turns == 1)  // the other root of ε
      for (std::size_t m = terms; m < 2 * terms; m += 2) coefficients_[m] = -coefficients_[m];
    reach_ = radius / (point.turns == 1 ? shrinks * shrinks : shrinks);
  }
}

}  // namespace orrery::mandelbrot
