/// A smooth path of a camera through poses at given times, with values of the scene. A plain value; any thread.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/text.hpp"
#include "scene/keyframes/keyframe_text.hpp"
#include "scene/keyframes/smooth_way.hpp"
#include "scene/keyframes/timing.hpp"

namespace orrery::keyframes {

/// `Pose` offers, besides the requirements of SmoothWay:
///   std::vector<Parameter> rows_of(Pose&): its numbers; the first Pose::least_words are required
///   std::size_t words_needed(pose): the count of leading numbers that define it
///   Pose unwound(pose, from): the same pose with angles nearest to those of `from`
template <class Pose>
class CameraPath {
 public:
  struct Keyframe {
    double time = 0;  ///< seconds
    Pose pose;
    std::vector<RowValue> values = {};  ///< in the order of the rows' names
    bool operator==(const Keyframe&) const = default;
  };

  CameraPath() = default;
  explicit CameraPath(std::vector<Keyframe> keyframes, bool constant_speed = false) : keyframes_(std::move(keyframes)) {
    if (keyframes_.empty()) return;
    std::vector<Pose> poses;
    for (const Keyframe& each : keyframes_) poses.push_back(each.pose);
    way_ = SmoothWay<Pose>(poses);
    std::vector<Timing::Point> points;
    for (std::size_t k = 0; k < keyframes_.size(); ++k)
      points.push_back({keyframes_[k].time, way_.knots_of_poses()[k]});
    constant_speed_ = constant_speed && keyframes_.size() > 1;
    timing_ = Timing(constant_speed_ ? way_.at_constant_speed(points.front().time, points.back().time) : points);
    for (const Timing::Point& point : points)
      passed_.push_back(constant_speed_ ? time_at_knot(point.value) : point.time);
    if (constant_speed_) passed_.back() = keyframes_.back().time;
  }
  /// Throws a usage Error that tells the place of a fault in the text.
  explicit CameraPath(std::string_view text, bool constant_speed = false) : CameraPath(read(text), constant_speed) {}

  const std::vector<Keyframe>& keyframes() const { return keyframes_; }
  bool empty() const { return keyframes_.empty(); }
  /// The time of the last keyframe; 0 while there is none.
  double length() const { return empty() ? 0 : keyframes_.back().time; }
  /// The constructor reads this text back bit-identically.
  std::string text() const {
    std::string text;
    for (const Keyframe& each : keyframes_) {
      Pose pose = each.pose;
      std::vector<Parameter> rows = rows_of(pose);
      text += (text.empty() ? "" : "; ") + shortest(each.time);
      text += words_text(std::span(rows).first(words_needed(pose))) + values_text(each.values);
    }
    return text;
  }

  /// The pose at that time: exact at a keyframe, constant before the first one and after the last one. The path must
  /// have a keyframe.
  Pose at(double seconds) const {
    if (seconds <= keyframes_.front().time) return keyframes_.front().pose;
    if (seconds >= keyframes_.back().time) return keyframes_.back().pose;
    if (!constant_speed_)
      if (const auto same = std::ranges::find(keyframes_, seconds, &Keyframe::time); same != keyframes_.end())
        return same->pose;
    return way_.at(timing_.at(seconds));
  }

  /// The rows that have values in keyframes.
  std::vector<std::string> rows() const {
    std::vector<std::string> all;
    for (const Keyframe& each : keyframes_)
      for (const RowValue& value : each.values)
        if (std::ranges::find(all, value.row) == all.end()) all.push_back(value.row);
    return all;
  }
  /// The value of one of rows() at that time: smooth between the keyframes that have one, without overshooting;
  /// `logarithmic`: interpolated in the logarithm.
  double value(std::string_view row, double seconds, bool logarithmic) const {
    std::vector<Timing::Point> points;
    for (std::size_t k = 0; k < keyframes_.size(); ++k)
      if (const auto found = std::ranges::find(keyframes_[k].values, row, &RowValue::row);
          found != keyframes_[k].values.end()) {
        if (!points.empty() && points.back().time >= passed_[k]) points.pop_back();
        points.push_back({passed_[k], found->value});
      }
    if (seconds <= points.front().time) return points.front().value;
    for (const Timing::Point& point : points)
      if (seconds == point.time) return point.value;
    if (seconds >= points.back().time) return points.back().value;
    logarithmic =
        logarithmic && std::ranges::all_of(points, [](const Timing::Point& point) { return point.value > 0; });
    if (!logarithmic) return Timing(std::move(points)).at(seconds);
    for (Timing::Point& point : points) point.value = std::log(point.value);
    return std::exp(Timing(std::move(points)).at(seconds));
  }

 private:
  // Seconds at which the camera reaches the knot.
  double time_at_knot(double knot) const {
    constexpr int halvings = 60;
    double early = keyframes_.front().time, late = keyframes_.back().time;
    for (int i = 0; i < halvings && timing_.at(early) < knot; ++i) {
      const double middle = (early + late) / 2;
      (timing_.at(middle) < knot ? early : late) = middle;
    }
    return timing_.at(early) < knot ? late : early;
  }
  static std::vector<Keyframe> read(std::string_view text) {
    std::vector<Keyframe> keyframes;
    for (std::vector<std::string>& words : words_of(text)) {
      const std::size_t k = keyframes.size();
      Keyframe read;
      read.values = take_values(words, k);
      read.time = time_of(words, k, k > 0 ? keyframes.back().time : -1);
      std::vector<Parameter> rows = rows_of(read.pose);
      assign_words(words, k, rows, Pose::least_words);
      keyframes.push_back(std::move(read));
    }
    return keyframes;
  }

  std::vector<Keyframe> keyframes_;
  bool constant_speed_ = false;
  SmoothWay<Pose> way_;
  Timing timing_;
  std::vector<double> passed_;  // time at each keyframe, in seconds
};

}  // namespace orrery::keyframes
