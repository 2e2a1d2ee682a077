/// A smooth way through poses of a camera: centripetal Catmull–Rom (P. J. Barry and R. N. Goldman, 1988; C. Yuksel,
/// S. Schaefer and J. Keyser, 2011) in the group of moves and zooms.
///
/// Between two poses, a point at the same place in both pictures stays there, however far the camera zooms: everything
/// visible in both stays visible. The tangents of a centripetal Catmull–Rom curve round the corners: where nothing
/// zooms, the way is that curve exactly. In a far zoom their effect ends after a factor of e², because a length that is
/// small at the start is many pictures at the end.
///
/// `Pose` offers, found by its namespace:
///   static constexpr std::size_t dimensions, lengths
///   Pose::Way = std::array<double, dimensions>: the visible distance between two poses: [0] the logarithm of
///     the scale, then `lengths` lengths in scales, then angles in radians and other values
///   Way way_between(from, to);   Pose pose_between(from, to, part), exact at 0 and 1
///   Pose moved(pose, way), for a small way
///   std::vector<Pose> stops_between(from, to): intermediate poses of a long way
///
/// A plain value; any thread.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "scene/keyframes/timing.hpp"

namespace orrery::keyframes {

/// Euclidean norm; does not overflow when the squares of parts would.
template <std::size_t n>
double length_of(const std::array<double, n>& way) {
  double largest = 0, sum = 0;
  for (const double part : way) largest = std::max(largest, std::abs(part));
  if (!(largest > 0)) return largest;
  for (const double part : way) sum += part / largest * (part / largest);
  return largest * std::sqrt(sum);
}

template <class Pose>
class SmoothWay {
 public:
  using Way = typename Pose::Way;

  SmoothWay() = default;
  explicit SmoothWay(const std::vector<Pose>& poses) {
    for (const Pose& pose : poses) {
      if (!places_.empty())
        for (const Pose& stop : stops_between(places_.back(), pose)) add(stop);
      add(pose);
      knots_of_poses_.push_back(knots_.back());
    }
    for (std::size_t k = 1; k + 1 < places_.size(); ++k) round_corner(k);
  }

  /// The position of each pose on the way; poses at one place have equal knots.
  const std::vector<double>& knots_of_poses() const { return knots_of_poses_; }
  /// The pose at this position on the way; there must be a pose.
  Pose at(double knot) const {
    if (legs_.empty() || knot <= 0) return places_.front();
    if (knot >= knots_.back()) return places_.back();
    const std::size_t k = interval_of(knots_, knot);
    const Leg& leg = legs_[k];
    const double t = (knot - knots_[k]) / leg.knots;
    if (t == 0) return places_[k];
    const Pose straight = pose_between(places_[k], places_[k + 1], std::clamp(leg.progress(t), 0.0, 1.0));
    return leg.rounded() ? moved(straight, leg.offset(t)) : straight;
  }
  /// Knots over time, between these times, for a constant visible speed.
  std::vector<Timing::Point> at_constant_speed(double from, double to) const {
    std::vector<Timing::Point> points{{0, 0}};
    double gone = 0;
    for (std::size_t k = 0; k < legs_.size(); ++k)
      for (int i = 0; i < pieces; ++i) {
        const double t = static_cast<double>(i) / pieces, h = 1.0 / pieces;
        gone += h / 6 * (legs_[k].speed(t) + 4 * legs_[k].speed(t + h / 2) + legs_[k].speed(t + h));
        points.push_back({gone, knots_[k] + (t + h) * legs_[k].knots});
      }
    for (Timing::Point& point : points) point.time = from + (to - from) * (gone > 0 ? point.time / gone : 0);
    points.back() = {to, knots_.back()};
    std::vector<Timing::Point> growing;
    for (const Timing::Point& point : points)
      if (growing.empty() || point.time > growing.back().time) growing.push_back(point);
    return growing;
  }

 private:
  static constexpr int pieces = 64;          // parts of a leg for integrating its speed
  static constexpr double rounded_zoom = 2;  // part of a zoom that rounds a corner, ln(scale)

  /// The way from one place to the next; t runs from 0 to 1.
  struct Leg {
    Way straight{};                // the whole leg
    double length = 0, knots = 0;  // length of `straight`, and its square root
    double part = 1;               // range of t that rounds a corner
    double begin = 1, end = 1;     // speeds at its ends, relative to the mean
    Way turn_in{}, turn_out{};     // the tangents' parts across the leg

    bool rounded() const { return turn_in != Way{} || turn_out != Way{}; }
    double progress(double t) const {
      const double s = 1 - t;
      return t * t * (1 + 2 * s) + s * t * (begin * s - end * t);
    }
    double progress_speed(double t) const {
      const double s = 1 - t;
      return 6 * s * t + begin * s * (s - 2 * t) + end * t * (t - 2 * s);
    }
    // Starts like t, and returns to 0 at the end of the rounded part.
    double bump(double t) const { return t < part ? t * (1 - t / part) * (1 - t / part) : 0; }
    double bump_speed(double t) const { return t < part ? (1 - t / part) * (1 - 3 * t / part) : 0; }
    Way offset(double t) const {
      Way sum;
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] = knots * (turn_in[i] * bump(t) - turn_out[i] * bump(1 - t));
      return sum;
    }
    // The visible speed at t.
    double speed(double t) const {
      const Way off = offset(t);
      Way sum;
      for (std::size_t i = 0; i < sum.size(); ++i)
        sum[i] =
            progress_speed(t) * straight[i] + knots * (turn_in[i] * bump_speed(t) + turn_out[i] * bump_speed(1 - t));
      for (std::size_t i = 1; i <= Pose::lengths; ++i)
        sum[i] = (sum[i] + progress_speed(t) * straight[0] * off[i]) * std::exp(-off[0]);
      return length_of(sum);
    }
  };

  void add(const Pose& pose) {
    if (places_.empty()) {
      places_.push_back(pose);
      knots_.push_back(0);
      return;
    }
    Leg leg{.straight = way_between(places_.back(), pose)};
    leg.length = length_of(leg.straight);
    if (!(leg.length > 0)) return;
    leg.knots = std::sqrt(leg.length);
    leg.part = std::min(1.0, rounded_zoom / std::max(std::abs(leg.straight[0]), 1e-9));
    places_.push_back(pose);
    knots_.push_back(knots_.back() + leg.knots);
    legs_.push_back(leg);
  }

  // The tangent is v w (d + e) / (v + w), with the directions d, e before and behind the corner and their knots v, w.
  // It bisects the angle between them: it never points backwards, and no corner speed exceeds twice the mean.
  void round_corner(std::size_t k) {
    Leg &before = legs_[k - 1], &behind = legs_[k];
    const double size = before.knots * behind.knots / (before.knots + behind.knots);
    double cosine = 0;
    for (std::size_t i = 0; i < Pose::dimensions; ++i)
      cosine += before.straight[i] / before.length * (behind.straight[i] / behind.length);
    cosine = std::clamp(cosine, -1.0, 1.0);
    before.end = size * (1 + cosine) / before.knots;
    behind.begin = size * (1 + cosine) / behind.knots;
    if (1 - cosine < 1e-14) return;
    for (std::size_t i = 0; i < Pose::dimensions; ++i) {
      const double d = before.straight[i] / before.length, e = behind.straight[i] / behind.length;
      before.turn_out[i] = size * (e - cosine * d);
      behind.turn_in[i] = size * (d - cosine * e);
    }
  }

  std::vector<Pose> places_;  // poses without consecutive duplicates
  std::vector<double> knots_;
  std::vector<Leg> legs_;
  std::vector<double> knots_of_poses_;
};

/// The share of a straight way between two scales that is done when the logarithm of the scale has changed by this part
/// of `log_factor`.
inline double share_of_way(double log_factor, double part) {
  if (log_factor == 0) return part;
  if (log_factor < 0) return std::expm1(part * log_factor) / std::expm1(log_factor);
  return std::exp((part - 1) * log_factor) * std::expm1(-part * log_factor) / std::expm1(-log_factor);
}
/// Converts a length between two poses from the wider scale, e^-log_factor times the narrower, to a part of a way.
inline double length_on_way(double in_scales, double log_factor) {
  return std::abs(log_factor) < 1e-9 ? in_scales * (1 - log_factor / 2)
                                     : in_scales * log_factor / std::expm1(log_factor);
}

}  // namespace orrery::keyframes
