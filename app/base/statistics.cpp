#include "base/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace orrery {
namespace {

// The largest k with P(at most k − 1 of n values lie below the median) ≤ 2.5 %; 0 if there is none.
std::size_t outer_rank(std::size_t n) {
  constexpr double tail = 0.025;
  constexpr std::size_t many = 1000;  // above this, the normal approximation holds, and 2⁻ⁿ underflows
  if (n > many) {
    const auto size = static_cast<double>(n);
    return static_cast<std::size_t>(size / 2 - 1.96 * std::sqrt(size) / 2);
  }
  double probability = std::exp2(-static_cast<double>(n)), below = probability;
  std::size_t k = 0;
  while (below <= tail) {
    ++k;
    probability *= static_cast<double>(n - k + 1) / static_cast<double>(k);
    below += probability;
  }
  return k;
}

}  // namespace

double quantile(std::vector<double> sample, double q) {
  std::ranges::sort(sample);
  return quantile_of_sorted(sample, q);
}

double quantile_of_sorted(std::span<const double> sample, double q) {
  if (sample.empty()) return std::numeric_limits<double>::quiet_NaN();
  const double rank = q * static_cast<double>(sample.size() - 1);
  const auto below = static_cast<std::size_t>(rank);
  const auto above = std::min(below + 1, sample.size() - 1);
  return std::lerp(sample[below], sample[above], rank - static_cast<double>(below));
}

Interval median_interval(std::vector<double> sample) {
  const std::size_t k = outer_rank(sample.size());
  if (k == 0) return {-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  std::ranges::sort(sample);
  return {sample[k - 1], sample[sample.size() - k]};
}

double relative_spread(const std::vector<double>& sample) {
  constexpr std::size_t fewest = 8;
  if (sample.size() < fewest) return std::numeric_limits<double>::quiet_NaN();
  return (quantile(sample, 0.75) - quantile(sample, 0.25)) / median(sample);
}

double steady_rise(const std::vector<double>& values) {
  constexpr std::size_t fewest = 16;
  if (values.size() < fewest) return 1;
  double concordance = 0;
  for (std::size_t i = 0; i < values.size(); ++i)
    for (std::size_t j = i + 1; j < values.size(); ++j)
      concordance += values[j] > values[i] ? 1 : values[j] < values[i] ? -1 : 0;
  const auto n = static_cast<double>(values.size());
  if (!(concordance / (n * (n - 1) / 2) > 0.5)) return 1;
  const auto quarter = static_cast<std::ptrdiff_t>(values.size() / 4);
  return median({values.end() - quarter, values.end()}) / median({values.begin(), values.begin() + quarter});
}

void History::push(double value) {
  if (values_.size() == capacity_) values_.erase(values_.begin());
  values_.push_back(value);
}

}  // namespace orrery
