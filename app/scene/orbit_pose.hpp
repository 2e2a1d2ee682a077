/// Position and direction of a turntable camera, as a keyframe of a path. A plain value; any thread.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

#include "base/parameter.hpp"
#include "render/camera.hpp"

namespace orrery {

struct OrbitPose {
  double azimuth = 0, elevation = 0, distance = 1;
  glm::dvec3 target{0, 0, 0};
  bool operator==(const OrbitPose&) const = default;

  static constexpr std::size_t dimensions = 6, lengths = 3, least_words = 6;
  static constexpr std::string_view path_help =
      "keyframes separated by \";\": the time in seconds, the camera's azimuth, elevation and "
      "distance, the x, y and z that it looks at, then NAME=NUMBER for each parameter that follows "
      "the path; the key K adds a keyframe";
  using Way = std::array<double, dimensions>;
};

OrbitPose pose_of(const Camera& camera);
/// The camera in that pose; its other values stay.
Camera placed_at(Camera camera, const OrbitPose& pose);

// scene/keyframes calls these for a pose.
OrbitPose::Way way_between(const OrbitPose& from, const OrbitPose& to);
OrbitPose pose_between(const OrbitPose& from, const OrbitPose& to, double part);
OrbitPose moved(OrbitPose pose, const OrbitPose::Way& way);
inline std::vector<OrbitPose> stops_between(const OrbitPose&, const OrbitPose&) { return {}; }
OrbitPose unwound(OrbitPose pose, const OrbitPose& from);
std::vector<Parameter> rows_of(OrbitPose& pose);
inline std::size_t words_needed(const OrbitPose&) { return OrbitPose::least_words; }

}  // namespace orrery
