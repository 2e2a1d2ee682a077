/// A view of the Mandelbrot set as a keyframe of a path. A plain value; any thread.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

#include "scenes/mandelbrot/numbers/view.hpp"

namespace orrery {

struct ViewPose {
  mandelbrot::View view;  ///< its rotation may exceed a full turn
  bool operator==(const ViewPose&) const = default;

  static constexpr std::size_t dimensions = 6, lengths = 2, least_words = 3;
  static constexpr std::string_view path_help =
      "keyframes separated by \";\": the time in seconds, the real and imaginary part of the "
      "centre, the span, and if the view is turned, its rotation, stretch and stretch angle, then "
      "NAME=NUMBER for each parameter that follows the path; the key K adds a keyframe";
  using Way = std::array<double, dimensions>;
};

/// The view as shown, in that plane: its rotation is within a full turn.
mandelbrot::View view_of(const ViewPose& pose, mandelbrot::Formula formula);
/// The pose of a view; a path may be in any plane.
ViewPose pose_of(mandelbrot::View view);

// scene/keyframes calls these for a pose.
ViewPose::Way way_between(const ViewPose& from, const ViewPose& to);
ViewPose pose_between(const ViewPose& from, const ViewPose& to, double part);
ViewPose moved(const ViewPose& pose, const ViewPose::Way& way);
/// The widest view of a flight, if it leads far out.
std::vector<ViewPose> stops_between(const ViewPose& from, const ViewPose& to);
ViewPose unwound(ViewPose pose, const ViewPose& from);
std::vector<Parameter> rows_of(ViewPose& pose);
std::size_t words_needed(const ViewPose& pose);

}  // namespace orrery
