#include "scenes/nbody/bodies/orbit.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace orrery {
namespace {

using std::numbers::pi;

double dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Vector cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
double length(const Vector& a) { return std::hypot(a[0], a[1], a[2]); }
double from_zero(double angle) { return angle < 0 ? angle + 2 * pi : angle; }

struct Relative {
  Vector place, velocity;
};
Relative relative(const Body& body, const Body& origin) {
  return {{body.x - origin.x, body.y - origin.y, body.z - origin.z},
          {body.vx - origin.vx, body.vy - origin.vy, body.vz - origin.vz}};
}

}  // namespace

// The root lies within e of M; Newton's steps that leave its bracket halve it.
double eccentric_anomaly(double mean, double eccentricity) {
  mean = std::remainder(mean, 2 * pi);
  double low = mean - eccentricity, high = mean + eccentricity, at = mean;
  for (int k = 0; k < 100 && low < high; ++k) {
    const double error = at - eccentricity * std::sin(at) - mean;
    (error > 0 ? high : low) = at;
    double next = at - error / (1 - eccentricity * std::cos(at));
    if (!(next > low && next < high)) next = (low + high) / 2;
    if (next == at) break;
    at = next;
  }
  return at;
}

double Orbit::period() const { return 2 * pi / mean_motion; }

Vector Orbit::place_at(double eccentric) const {
  const double along = semi_major * (std::cos(eccentric) - eccentricity),
               across = semi_major * std::sqrt(1 - eccentricity * eccentricity) * std::sin(eccentric);
  const double cn = std::cos(node), sn = std::sin(node), ci = std::cos(inclination), si = std::sin(inclination),
               cp = std::cos(pericentre_argument), sp = std::sin(pericentre_argument);
  return {along * (cn * cp - sn * sp * ci) - across * (cn * sp + sn * cp * ci),
          along * (sn * cp + cn * sp * ci) - across * (sn * sp - cn * cp * ci), (along * sp + across * cp) * si};
}

Vector Orbit::place_after(double time) const {
  return place_at(eccentric_anomaly(mean_anomaly + mean_motion * time, eccentricity));
}

std::vector<Vector> Orbit::ellipse(std::size_t count) const {
  std::vector<Vector> places;
  for (std::size_t k = 0; k < count; ++k)
    places.push_back(place_at(2 * pi * static_cast<double>(k) / static_cast<double>(count)));
  return places;
}

std::optional<Orbit> osculating(double mu, const Vector& place, const Vector& velocity) {
  const double distance = length(place), inverse = 2 / distance - dot(velocity, velocity) / mu;
  if (!(inverse > 0) || !std::isfinite(inverse) || !(mu > 0)) return std::nullopt;
  Orbit orbit{.semi_major = 1 / inverse, .mean_motion = std::sqrt(mu * inverse) * inverse};
  // e cos E and e sin E are exact enough for a circle, too.
  const double e_cos = 1 - distance * inverse, e_sin = dot(place, velocity) * std::sqrt(inverse / mu);
  orbit.eccentricity = std::min(std::hypot(e_cos, e_sin), 1.0);
  const double eccentric = std::atan2(e_sin, e_cos);
  orbit.mean_anomaly = from_zero(std::remainder(eccentric - e_sin, 2 * pi));
  Vector pole = cross(place, velocity);
  if (length(pole) == 0) pole = cross(place, std::abs(place[2]) < 0.9 * distance ? Vector{0, 0, 1} : Vector{1, 0, 0});
  const double flat = std::hypot(pole[0], pole[1]);
  orbit.inclination = std::atan2(flat, pole[2]);
  orbit.node = flat > 0 ? from_zero(std::atan2(pole[0], -pole[1])) : 0;
  // The angle from the node to the body, in the orbit's plane.
  const Vector to_node{std::cos(orbit.node), std::sin(orbit.node), 0};
  const double latitude = std::atan2(dot(cross(to_node, place), pole) / length(pole), dot(to_node, place));
  const double true_anomaly = std::atan2(std::sqrt(1 - orbit.eccentricity * orbit.eccentricity) * std::sin(eccentric),
                                         std::cos(eccentric) - orbit.eccentricity);
  orbit.pericentre_argument = from_zero(std::remainder(latitude - true_anomaly, 2 * pi));
  return orbit;
}

Standing standing_of(const Bodies& bodies, std::uint32_t body, const Attraction& attraction) {
  Standing standing;
  const Body& own = bodies[body];
  for (std::uint32_t k = 0; k < bodies.size(); ++k) {
    if (k == body || is_gone(bodies[k])) continue;
    const Body& other = bodies[k];
    const Relative seen = relative(own, other);
    const double distance = length(seen.place);
    if (!standing.nearest || distance < standing.nearest->distance) standing.nearest = Neighbour{k, distance};
    if (!(other.mass > 0 && other.mass >= own.mass) || distance <= attraction.softening) continue;
    const double mu = attraction.gravity * (own.mass + other.mass);
    // Most of many bodies hold nothing: this is cheaper than the whole orbit.
    const double inverse = 2 / distance - dot(seen.velocity, seen.velocity) / mu;
    if (!(inverse > 0) || (standing.primary && inverse * standing.primary->orbit.semi_major <= 1)) continue;
    if (const auto orbit = osculating(mu, seen.place, seen.velocity)) standing.primary = Primary{k, *orbit};
  }
  return standing;
}

}  // namespace orrery
