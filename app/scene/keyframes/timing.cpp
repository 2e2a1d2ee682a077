#include "scene/keyframes/timing.hpp"

#include <algorithm>
#include <utility>

namespace orrery::keyframes {
namespace {

// The slope at the point between two intervals, from their lengths and speeds.
double inner_slope(double before, double speed_before, double after, double speed_after) {
  const bool grows = speed_before > 0 && speed_after > 0, falls = speed_before < 0 && speed_after < 0;
  if (!grows && !falls) return 0;
  const double w1 = 2 * after + before, w2 = after + 2 * before;
  return (w1 + w2) / (w1 / speed_before + w2 / speed_after);
}

// The slope at an end, from a parabola through three points, limited so that the course does not turn.
double end_slope(double own, double speed, double next, double next_speed) {
  const double slope = ((2 * own + next) * speed - own * next_speed) / (own + next);
  return std::clamp(slope, std::min(0.0, 3 * speed), std::max(0.0, 3 * speed));
}

}  // namespace

Timing::Timing(std::vector<Point> points) : points_(std::move(points)), slopes_(points_.size(), 0) {
  const std::size_t count = points_.size();
  if (count < 2) return;
  const auto length = [&](std::size_t k) { return points_[k + 1].time - points_[k].time; };
  const auto speed = [&](std::size_t k) { return (points_[k + 1].value - points_[k].value) / length(k); };
  const std::size_t last = count - 2;
  for (std::size_t k = 1; k <= last; ++k) slopes_[k] = inner_slope(length(k - 1), speed(k - 1), length(k), speed(k));
  slopes_.front() = last == 0 ? speed(0) : end_slope(length(0), speed(0), length(1), speed(1));
  slopes_.back() = last == 0 ? speed(0) : end_slope(length(last), speed(last), length(last - 1), speed(last - 1));
}

double Timing::at(double time) const {
  if (points_.empty()) return 0;
  if (time <= points_.front().time) return points_.front().value;
  if (time >= points_.back().time) return points_.back().value;
  const auto behind = std::ranges::upper_bound(points_, time, {}, &Point::time);
  const auto k = static_cast<std::size_t>(behind - points_.begin()) - 1;
  const Point &from = points_[k], &to = points_[k + 1];
  const double length = to.time - from.time, t = (time - from.time) / length, s = 1 - t;
  const double value = from.value * s * s * (1 + 2 * t) + to.value * t * t * (1 + 2 * s) +
                       length * s * t * (slopes_[k] * s - slopes_[k + 1] * t);
  return std::clamp(value, std::min(from.value, to.value), std::max(from.value, to.value));
}

std::size_t interval_of(const std::vector<double>& knots, double at) {
  const auto behind = std::ranges::upper_bound(knots, at);
  const auto k = static_cast<std::size_t>(behind - knots.begin());
  return std::clamp<std::size_t>(k, 1, knots.size() - 1) - 1;
}

}  // namespace orrery::keyframes
