/// A turntable camera: a target, a distance and a direction. Plain values.
#pragma once

#include <glm/glm.hpp>

namespace orrery {

/// Limit of the elevation, up and down, in radians; just below the pole, where "up" is undefined.
inline constexpr double steepest_elevation = 1.55;

struct Camera {
  glm::dvec3 target{0, 0, 0};
  double distance = 6;
  double azimuth = -1.0;       ///< radians about the z axis, which is up
  double elevation = 0.6;      ///< radians above the plane z = 0
  double orbit_speed = 0;      ///< degrees per second about the z axis
  double field_of_view = 0.7;  ///< radians, across the viewport's height

  bool operator==(const Camera&) const = default;

  glm::dvec3 position() const;
  glm::mat4 view() const;
  glm::mat4 projection(glm::ivec2 viewport) const;
  /// Pixels per unit of length at depth 1.
  double focal_pixels(int viewport_height) const;

  /// The direction from the camera through that place (pixels from the viewport's centre, y down); not normalised.
  glm::dvec3 ray(glm::vec2 cursor, int viewport_height) const;

  /// Orbits with a pointer that moved by these pixels (y down): the scene stays under it.
  void orbit(glm::vec2 pixels, int viewport_height);
  void pan(glm::vec2 pixels, int viewport_height);
  /// Zooms by wheel clicks; the point under the cursor (pixels from the viewport's centre, y down) stays there.
  void zoom(double steps, glm::vec2 cursor, int viewport_height);

 private:
  glm::dvec3 right() const;
  glm::dvec3 up() const;
};

}  // namespace orrery
