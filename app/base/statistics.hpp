/// Order statistics of small samples.
#pragma once

#include <vector>

namespace orrery {

/// The q-quantile (0 … 1) by linear interpolation between order statistics; NaN of an empty sample.
double quantile(std::vector<double> sample, double q);
inline double median(std::vector<double> sample) { return quantile(static_cast<std::vector<double>&&>(sample), 0.5); }

struct Interval {
  double lower = 0;
  double upper = 0;
};
/// Where the median of what the sample is drawn from lies with 95 % confidence, whatever its distribution: between two
/// order statistics (Conover, Practical Nonparametric Statistics, 3.2). Fewer than 6 values tell nothing: −∞ … ∞.
Interval median_interval(std::vector<double> sample);

/// The distance of the quartiles over the median: 0 where every value is the same; NaN of fewer than 8 values.
double relative_spread(const std::vector<double>& sample);
/// How many times larger the values have become from the first quarter to the last, where most pairs of values rise
/// (Kendall's τ > ½); 1 where they go up and down, or are fewer than 16.
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
