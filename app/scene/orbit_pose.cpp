#include "scene/orbit_pose.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "scene/keyframes/smooth_way.hpp"

namespace orrery {
namespace {

constexpr double farthest = 1e100,
                 nearest_distance = 1e-100;  // keeps their ratio and its root finite
constexpr double most_wound = 1e6;           // radians

}  // namespace

OrbitPose pose_of(const Camera& camera) { return {camera.azimuth, camera.elevation, camera.distance, camera.target}; }

Camera placed_at(Camera camera, const OrbitPose& pose) {
  camera.azimuth = pose.azimuth;
  camera.elevation = pose.elevation;
  camera.distance = pose.distance;
  camera.target = pose.target;
  return camera;
}

OrbitPose::Way way_between(const OrbitPose& from, const OrbitPose& to) {
  const double zoom = std::log(to.distance) - std::log(from.distance);
  OrbitPose::Way way{zoom};
  const double wider = std::max(from.distance, to.distance);
  for (int axis = 0; axis < 3; ++axis)
    way[1 + static_cast<std::size_t>(axis)] =
        keyframes::length_on_way((to.target[axis] - from.target[axis]) / wider, -std::abs(zoom));
  way[4] = to.azimuth - from.azimuth;
  way[5] = to.elevation - from.elevation;
  return way;
}

// Computed from the nearer end, where lengths are small and keep their digits.
OrbitPose pose_between(const OrbitPose& from, const OrbitPose& to, double part) {
  if (part <= 0) return from;
  if (part >= 1) return to;
  const double zoom = std::log(to.distance) - std::log(from.distance);
  const glm::dvec3 all = to.target - from.target;
  OrbitPose pose;
  pose.distance = from.distance * std::exp(part * zoom);
  pose.target = zoom < 0 ? to.target - all * keyframes::share_of_way(-zoom, 1 - part)
                         : from.target + all * keyframes::share_of_way(zoom, part);
  pose.azimuth = std::lerp(from.azimuth, to.azimuth, part);
  pose.elevation = std::lerp(from.elevation, to.elevation, part);
  return pose;
}

OrbitPose moved(OrbitPose pose, const OrbitPose::Way& way) {
  pose.target += pose.distance * glm::dvec3(way[1], way[2], way[3]);
  pose.distance *= std::exp(way[0]);
  pose.azimuth += way[4];
  pose.elevation = std::clamp(pose.elevation + way[5], -steepest_elevation, steepest_elevation);
  return pose;
}

OrbitPose unwound(OrbitPose pose, const OrbitPose& from) {
  constexpr double round = 2 * std::numbers::pi;
  pose.azimuth += round * std::round((from.azimuth - pose.azimuth) / round);
  return pose;
}

std::vector<Parameter> rows_of(OrbitPose& pose) {
  const auto row = [](std::string_view name, double most, double& target) {
    return Parameter({.name = name, .minimum = -most, .maximum = most}, &target);
  };
  return {row("azimuth", most_wound, pose.azimuth),
          row("elevation", steepest_elevation, pose.elevation),
          {{.name = "distance", .minimum = nearest_distance, .maximum = farthest}, &pose.distance},
          row("x", farthest, pose.target.x),
          row("y", farthest, pose.target.y),
          row("z", farthest, pose.target.z)};
}

}  // namespace orrery
