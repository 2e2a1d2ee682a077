#include "scenes/mandelbrot/window/view_pose.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "scene/keyframes/smooth_way.hpp"
#include "scenes/mandelbrot/window/view_motion.hpp"

namespace orrery {
namespace {

using namespace mandelbrot;

constexpr double radians = std::numbers::pi / 180;
constexpr double most_wound = 36000;  // degrees
constexpr int span_digits = 17;

// The visible change by another axis of the stretch: none without a stretch.
double way_of_axis(const Turn& from, const Turn& to) {
  const double bent = std::min(std::abs(std::log(from.stretch)), std::abs(std::log(to.stretch)));
  return 2 * bent * std::remainder(to.stretch_angle - from.stretch_angle, 180) * radians;
}

}  // namespace

View view_of(const ViewPose& pose, Formula formula) {
  View view = pose.view;
  view.formula = formula;
  if (std::abs(view.turn.rotation) > largest_rotation) view.turn.rotation = wrapped_degrees(view.turn.rotation);
  return view;
}

ViewPose pose_of(View view) {
  view.formula = {};
  return {view};
}

ViewPose::Way way_between(const ViewPose& from, const ViewPose& to) {
  const View &a = from.view, &b = to.view;
  const double zoom = b.span.log() - a.span.log();
  // In spans of the wider view; a number of the deeper one may be too large for a double.
  const bool in = zoom < 0;
  const Decimal& unit = in ? a.span : b.span;
  const double log_factor = in ? zoom : -zoom;  // from the wider to the deeper
  const auto length = [&](const Decimal& begin, const Decimal& end) {
    return keyframes::length_on_way(ratio(end - begin, unit), log_factor);
  };
  return {zoom,
          length(a.re, b.re),
          length(a.im, b.im),
          (b.turn.rotation - a.turn.rotation) * radians,
          std::log(b.turn.stretch / a.turn.stretch),
          way_of_axis(a.turn, b.turn)};
}

// Computed from the deeper end, relative to the span there, so that no digits are lost at any depth.
ViewPose pose_between(const ViewPose& from, const ViewPose& to, double part) {
  if (part <= 0) return from;
  if (part >= 1) return to;
  const double zoom = to.view.span.log() - from.view.span.log();
  const bool in = zoom < 0;
  const View &deep = in ? to.view : from.view, &wide = in ? from.view : to.view;
  const double factor = -std::abs(zoom), left = in ? 1 - part : part;  // from the deeper end
  const double share = factor == 0 ? left : std::expm1(left * factor) / std::expm1(factor);
  Turn turn = mixed(from.view.turn, to.view.turn, part);
  turn.rotation = std::lerp(from.view.turn.rotation, to.view.turn.rotation, part);
  const Decimal span = zoom == 0 ? deep.span : Decimal::exp(std::lerp(from.view.span.log(), to.view.span.log(), part));
  const View base{deep.re, deep.im, span, turn};
  return {placed(base, {ratio(wide.re - deep.re, wide.span) * share, ratio(wide.im - deep.im, wide.span) * share, 1})};
}

ViewPose moved(const ViewPose& pose, const ViewPose::Way& way) {
  View view = placed(pose.view, {way[1], way[2], 1});
  view.span = (view.span * std::exp(way[0])).significant(span_digits);
  view.turn.rotation += way[3] / radians;
  view.turn.stretch *= std::exp(way[4]);
  return {view};
}

std::vector<ViewPose> stops_between(const ViewPose& from, const ViewPose& to) {
  constexpr double far = 4;  // spans
  const ViewPose::Way way = way_between(from, to);
  if (std::hypot(way[1], way[2]) < far * std::max(1.0, std::abs(way[0]))) return {};
  const auto top = Flight(from.view, to.view, 1).top();
  if (!top) return {};
  ViewPose stop{*top};
  stop.view.turn.rotation = std::lerp(from.view.turn.rotation, to.view.turn.rotation, 0.5);
  return {stop};
}

ViewPose unwound(ViewPose pose, const ViewPose& from) {
  double& rotation = pose.view.turn.rotation;
  rotation += 360 * std::round((from.view.turn.rotation - rotation) / 360);
  if (std::abs(rotation) > most_wound) rotation = wrapped_degrees(rotation);
  return pose;
}

std::vector<Parameter> rows_of(ViewPose& pose) {
  std::vector<Parameter> rows = parameters(pose.view);
  rows.pop_back();  // the power
  for (Parameter& row : rows)
    if (row.info().name == "rotation")
      row = Parameter({.name = "rotation", .minimum = -most_wound, .maximum = most_wound}, &pose.view.turn.rotation);
  return rows;
}

std::size_t words_needed(const ViewPose& pose) {
  constexpr std::size_t all = 6, turned = 4, level = 3;
  if (pose.view.turn.stretch != 1) return all;
  return pose.view.turn.rotation != 0 ? turned : level;
}

}  // namespace orrery
