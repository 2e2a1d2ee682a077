/// A smooth course of one quantity over time that goes through given points and stays between the two on both sides. A
/// plain value; any thread.
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
  /// Times grow.
  explicit Timing(std::vector<Point> points);

  /// Before the first point its value, after the last one that of the last; without points 0.
  double at(double time) const;

 private:
  std::vector<Point> points_;
  std::vector<double> slopes_;  // at the points
};

/// The interval of growing `knots` that holds `at`: from 0, and at most the last one.
std::size_t interval_of(const std::vector<double>& knots, double at);

}  // namespace orrery::keyframes
