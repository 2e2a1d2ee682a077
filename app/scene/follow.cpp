#include "scene/follow.hpp"

#include <cmath>

namespace orrery {
namespace {

constexpr double glide_seconds = 0.18;  // in which the way left shrinks to 1/e
constexpr double arrived = 1e-3;        // of the camera's distance: less than a pixel

}  // namespace

void BodyFollower::move(Camera& camera, const std::optional<glm::dvec3>& place, double frame) {
  if (!place) return;
  if (place_) camera.target += *place - *place_;
  if (gliding_ && !place_) left_ = *place - camera.target;
  place_ = place;
  if (!gliding_) return;
  const bool there = glm::length(left_) < arrived * camera.distance;
  const glm::dvec3 way = there ? left_ : left_ * (1 - std::exp(-frame / glide_seconds));
  camera.target += way;
  left_ -= way;
  gliding_ = !there;
}

}  // namespace orrery
