/// A smooth course of one quantity over time through given points, without overshooting between them. A plain value;
/// any thread.
#pragma once

#include <cstddef>
#include <vector>

namespace orrery::keyframes {

/// F. N. Fritsch and R. E. Carlson, "Monotone piecewise cubic interpolation" (1980), with the slopes of F. N. Fritsch
/// and J. Butland (1984): once differentiable everywhere, and at rest wherever two points have the same value.
class Timing {
 public:
  struct Point {
    double time = 0, value = 0;
  };
  Timing() = default;
  /// Times must increase.
  explicit Timing(std::vector<Point> points);

  /// The value; constant before the first and after the last point; 0 without points.
  double at(double time) const;

 private:
  std::vector<Point> points_;
  std::vector<double> slopes_;  // slopes at the points
};

/// The index of the interval of increasing `knots` that holds `at`, limited to the existing intervals.
std::size_t interval_of(const std::vector<double>& knots, double at);

}  // namespace orrery::keyframes
