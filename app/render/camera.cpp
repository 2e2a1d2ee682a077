#include "render/camera.hpp"

#include <algorithm>
#include <cmath>
#include <glm/gtc/matrix_transform.hpp>
#include <numbers>

namespace orrery {
namespace {

constexpr double factor_per_click = 0.88;           // factor of the distance
constexpr double nearest = 1e-15, farthest = 1e15;  // limits for scenes in any units

}  // namespace

glm::dvec3 Camera::position() const {
  const glm::dvec3 direction{std::cos(elevation) * std::cos(azimuth), std::cos(elevation) * std::sin(azimuth),
                             std::sin(elevation)};
  return target + distance * direction;
}

glm::dvec3 Camera::right() const { return {-std::sin(azimuth), std::cos(azimuth), 0}; }
glm::dvec3 Camera::up() const { return glm::cross(glm::normalize(position() - target), right()); }

glm::mat4 Camera::view() const { return glm::mat4(glm::lookAt(position(), target, up())); }

glm::mat4 Camera::projection(glm::ivec2 viewport) const {
  const double aspect = static_cast<double>(std::max(viewport.x, 1)) / std::max(viewport.y, 1);
  return glm::mat4(glm::perspective(field_of_view, aspect, distance * 1e-3, distance * 1e3));
}

double Camera::focal_pixels(int viewport_height) const {
  return std::max(viewport_height, 1) / (2 * std::tan(field_of_view / 2));
}

glm::dvec3 Camera::ray(glm::vec2 cursor, int viewport_height) const {
  return focal_pixels(viewport_height) * glm::normalize(target - position()) + static_cast<double>(cursor.x) * right() -
         static_cast<double>(cursor.y) * up();
}

void Camera::orbit(glm::vec2 pixels, int viewport_height) {
  const double radians = std::numbers::pi / std::max(viewport_height, 1);  // half a turn across the height
  azimuth = std::remainder(azimuth - pixels.x * radians, 2 * std::numbers::pi);
  elevation = std::clamp(elevation + pixels.y * radians, -steepest_elevation, steepest_elevation);
}

void Camera::pan(glm::vec2 pixels, int viewport_height) {
  const double length = distance / focal_pixels(viewport_height);
  target += length * (static_cast<double>(pixels.y) * up() - static_cast<double>(pixels.x) * right());
}

void Camera::zoom(double steps, glm::vec2 cursor, int viewport_height) {
  const double wanted = std::clamp(distance * std::pow(factor_per_click, steps), nearest, farthest);
  const double shift = (distance - wanted) / focal_pixels(viewport_height);
  target += shift * (static_cast<double>(cursor.x) * right() - static_cast<double>(cursor.y) * up());
  distance = wanted;
}

}  // namespace orrery
