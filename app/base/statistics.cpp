#include "base/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace orrery {

double quantile(std::vector<double> sample, double q) {
  if (sample.empty()) return std::numeric_limits<double>::quiet_NaN();
  std::ranges::sort(sample);
  const double rank = q * static_cast<double>(sample.size() - 1);
  const auto below = static_cast<std::size_t>(rank);
  const auto above = std::min(below + 1, sample.size() - 1);
  return std::lerp(sample[below], sample[above], rank - static_cast<double>(below));
}

void History::push(double value) {
  if (values_.size() == capacity_) values_.erase(values_.begin());
  values_.push_back(value);
}

}  // namespace orrery
