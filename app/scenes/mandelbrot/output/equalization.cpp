#include "scenes/mandelbrot/output/equalization.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace orrery::mandelbrot {

double Equalization::bin_of(double nu, double origin) {
  return std::log2(1 + std::max(nu - origin, 0.0)) / octaves * static_cast<double>(bins);
}

double Equalization::rank(double nu) const {
  if (ranks.empty()) return 0;
  const double at = std::clamp(bin_of(nu, origin) - 0.5, 0.0, static_cast<double>(bins - 1));
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, bins - 1);
  return std::lerp(static_cast<double>(ranks[below]), static_cast<double>(ranks[above]), at - std::floor(at));
}

Equalization equalization(double origin, std::span<const std::uint32_t> counts) {
  const double all = std::accumulate(counts.begin(), counts.end(), 0.0);
  Equalization result{.origin = origin, .ranks = {}};
  double below = 0;
  for (const std::uint32_t count : counts) {
    result.ranks.push_back(all > 0 ? static_cast<float>((below + 0.5 * count) / all) : 0.0F);
    below += count;
  }
  return result;
}

Equalization equalization_of(std::span<const double> values) {
  double origin = HUGE_VAL;
  for (const double value : values)
    if (value >= 0) origin = std::min(origin, value);
  std::vector<std::uint32_t> counts(Equalization::bins, 0);
  for (const double value : values) {
    if (value < 0) continue;
    const auto bin = static_cast<std::size_t>(Equalization::bin_of(value, origin));
    ++counts[std::min(bin, Equalization::bins - 1)];
  }
  return equalization(std::isfinite(origin) ? origin : 0, counts);
}

Equalization mixed(const Equalization& from, const Equalization& to, double part) {
  if (from.ranks.empty() || part >= 1) return to;
  if (to.ranks.empty()) return from;
  // Old ranks are resampled to the bins of the new equalization.
  Equalization result = to;
  for (std::size_t i = 0; i < Equalization::bins; ++i) {
    const double log = (static_cast<double>(i) + 0.5) / Equalization::bins * Equalization::octaves;
    const double before = from.rank(to.origin + std::exp2(log) - 1);
    result.ranks[i] = static_cast<float>(std::lerp(before, static_cast<double>(to.ranks[i]), part));
  }
  return result;
}

}  // namespace orrery::mandelbrot
