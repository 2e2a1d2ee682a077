/// Order statistics of small samples.
#pragma once

#include <span>
#include <vector>

namespace orrery {

/// The q-quantile (0 … 1) by linear interpolation between order statistics; NaN of an empty sample.
double quantile(std::vector<double> sample, double q);
/// The same of values in ascending order, for several quantiles of one sample.
double quantile_of_sorted(std::span<const double> sample, double q);
inline double median(std::vector<double> sample) { return quantile(static_cast<std::vector<double>&&>(sample), 0.5); }

struct Interval {
  double lower = 0;
  double upper = 0;
};
/// The distribution-free 95 % confidence interval of the median: two order statistics (Conover, Practical Nonparametric
/// Statistics, 3.2). For fewer than 6 values it is −∞ … ∞.
Interval median_interval(std::vector<double> sample);

/// The quartile distance divided by the median: 0 if all values are equal; NaN for fewer than 8 values.
double relative_spread(const std::vector<double>& sample);
/// The ratio of the last quarter's values to the first's, if most pairs of values rise (Kendall's τ > ½); 1 without
/// such a trend, or for fewer than 16 values.
double steady_rise(const std::vector<double>& values);

/// The last `capacity` values, oldest first.
class History {
 public:
  explicit History(std::size_t capacity) : capacity_(capacity) {}
  void push(double value);
  void clear() { values_.clear(); }
  const std::vector<double>& values() const { return values_; }

 private:
  std::size_t capacity_;
  std::vector<double> values_;
};

}  // namespace orrery
