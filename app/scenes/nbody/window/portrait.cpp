#include "scenes/nbody/window/portrait.hpp"

#include <cmath>
#include <numbers>

namespace orrery {
namespace {

constexpr std::size_t points_of_an_orbit = 240;

/// The orbit's pieces that are before the camera, as pixels.
std::vector<std::array<float, 4>> pieces(const Orbit& orbit, const glm::dvec3& around, const HandSight& sight) {
  const std::vector<Vector> places = orbit.ellipse(points_of_an_orbit);
  const auto pixel = [&](const Vector& place) {
    return sight.pixel(around + glm::dvec3{place[0], place[1], place[2]});
  };
  std::vector<std::array<float, 4>> seen;
  std::optional<glm::vec2> from = pixel(places.back());
  for (const Vector& place : places) {
    const std::optional<glm::vec2> to = pixel(place);
    if (from && to) seen.push_back({from->x, from->y, to->x, to->y});
    from = to;
  }
  return seen;
}

}  // namespace

void BodyPortraits::follow(const Look& look, std::optional<std::uint32_t> body) {
  const auto& state = look.state;
  if (const auto made = looking_.poll(); made && made->body == body) take(*made);
  if (!body || (last_ && last_->body != *body)) last_.reset(), closest_.reset();
  if (closest_ && closest_->clock.step > look.newest) closest_.reset();
  if (!body) return of_.reset();
  if (!state || *body >= state->bodies.size() || looking_.busy() || (of_ == state && last_)) return;
  of_ = state;
  looking_.start([state, body = *body, attraction = look.attraction] {
    return Portrait{body, state->clock, state->bodies[body], standing_of(state->bodies, body, attraction)};
  });
}

void BodyPortraits::take(const Portrait& made) {
  last_ = made;
  const auto& nearest = made.standing.nearest;
  if (nearest && (!closest_ || nearest->distance < closest_->with.distance)) closest_ = Encounter{*nearest, made.clock};
}

std::string name_of_body(std::uint32_t body, const std::vector<BodyPart>& parts, std::size_t bodies) {
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const std::size_t end = k + 1 < parts.size() ? parts[k + 1].first : bodies;
    if (parts[k].first == body && end == body + 1) return parts[k].name;
  }
  return "Body " + std::to_string(body);
}

NbodySnapshot::Followed describe(const BodyPortraits& portraits, const std::vector<BodyPart>& parts, std::size_t bodies,
                                 const HandSight& sight, const MarkedBody& drawn) {
  NbodySnapshot::Followed told;
  if (!portraits.last()) return told;
  const Portrait& portrait = *portraits.last();
  const auto name = [&](std::uint32_t body) { return name_of_body(body, parts, bodies); };
  const Body& own = portrait.own;
  told.name = name(portrait.body);
  told.mass = own.mass;
  told.speed = std::hypot(own.vx, own.vy, own.vz);
  if (const auto& nearest = portrait.standing.nearest) told.nearest = {name(nearest->body), nearest->distance};
  if (const auto& closest = portraits.closest()) {
    told.closest = {name(closest->with.body), closest->with.distance};
    told.closest_time = closest->clock.time, told.closest_step = closest->clock.step;
  }
  const auto& primary = portrait.standing.primary;
  if (!primary) return told;
  const Orbit& orbit = primary->orbit;
  told.orbits = name(primary->body);
  told.semi_major = orbit.semi_major;
  told.eccentricity = orbit.eccentricity;
  told.inclination = orbit.inclination * 180 / std::numbers::pi;
  told.period = orbit.period();
  const Vector from = orbit.place_after(drawn.later);
  told.orbit = pieces(orbit, drawn.place - glm::dvec3{from[0], from[1], from[2]}, sight);
  return told;
}

}  // namespace orrery
