#include "scenes/nbody/bodies/between.hpp"

#include <algorithm>
#include <cmath>
#include <glm/glm.hpp>

namespace orrery {
namespace {

// An arc of three quarters of a circle is as long as this many of its chords. Tangents up to that length also keep the
// cubic from going back and forth along the chord (Fritsch and Carlson 1980).
constexpr double most_chords = 3;

glm::dvec3 place_of(const Body& body) { return {body.x, body.y, body.z}; }
glm::dvec3 velocity_of(const Body& body) { return {body.vx, body.vy, body.vz}; }

/// The factors of a Hermite cubic at s, and their derivatives.
struct HermiteFactors {
  double from, from_slope, to, to_slope;

  static HermiteFactors of_place(double s) {
    const double rest = 1 - s;
    return {(1 + 2 * s) * rest * rest, s * rest * rest, s * s * (3 - 2 * s), -s * s * rest};
  }
  static HermiteFactors of_velocity(double s) {
    return {6 * s * (s - 1), (1 - s) * (1 - 3 * s), 6 * s * (1 - s), s * (3 * s - 2)};
  }
  glm::dvec3 sum(const glm::dvec3& x0, const glm::dvec3& slope0, const glm::dvec3& x1, const glm::dvec3& slope1) const {
    return from * x0 + from_slope * slope0 + to * x1 + to_slope * slope1;
  }
};

}  // namespace

Bodies bodies_between(const Bodies& from, const Bodies& to, double time, double share) {
  const HermiteFactors place = HermiteFactors::of_place(share), velocity = HermiteFactors::of_velocity(share);
  Bodies between(from.size());
  for (std::size_t k = 0; k < between.size(); ++k) {
    const glm::dvec3 x0 = place_of(from[k]), x1 = place_of(to[k]), v0 = velocity_of(from[k]), v1 = velocity_of(to[k]);
    const double longest = most_chords * glm::length(x1 - x0), span = std::abs(time);
    const double length0 = span * glm::length(v0), length1 = span * glm::length(v1);
    const bool bends_little = std::max(length0, length1) <= longest;
    const glm::dvec3 slope0 = v0 * time * (length0 > longest ? longest / length0 : 1.0);
    const glm::dvec3 slope1 = v1 * time * (length1 > longest ? longest / length1 : 1.0);
    const glm::dvec3 x = place.sum(x0, slope0, x1, slope1);
    const glm::dvec3 v =
        bends_little && time != 0 ? velocity.sum(x0, slope0, x1, slope1) / time : glm::mix(v0, v1, share);
    between[k] = {from[k].mass, x.x, x.y, x.z, v.x, v.y, v.z};
  }
  return between;
}

}  // namespace orrery
