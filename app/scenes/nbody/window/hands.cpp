#include "scenes/nbody/window/hands.hpp"

#include <algorithm>
#include <cmath>

namespace orrery {
namespace {

constexpr double steep = 1.2;             // radians above the plane z = 0; from there on, a hand moves in that plane
constexpr double full_drag = 0.2;         // in heights of the picture
constexpr double factor_per_click = 1.1;  // factor of the mass

std::array<double, 3> array_of(const glm::dvec3& v) { return {v.x, v.y, v.z}; }

}  // namespace

HandSight::Plane HandSight::plane(const std::optional<glm::dvec3>& point) const {
  const glm::dvec3 towards = glm::normalize(camera.target - camera.position());
  if (std::abs(camera.elevation) < steep) return {point.value_or(camera.target), towards};
  return {point.value_or(glm::dvec3(camera.target.x, camera.target.y, 0)), {0, 0, 1}};
}

glm::dvec3 HandSight::place(const Plane& plane, glm::vec2 pixel) const {
  const glm::dvec3 eye = camera.position();
  const glm::dvec3 ray = camera.ray(pixel - glm::vec2(size) / 2.0F, size.y);
  const double approach = glm::dot(ray, plane.normal), distance = glm::dot(plane.point - eye, plane.normal);
  const double along = distance / approach;
  // If the ray misses the plane: a place as far away as the plane's point.
  if (std::isfinite(along) && along > 0) return eye + along * ray;
  return eye + glm::distance(eye, plane.point) * glm::normalize(ray);
}

std::optional<glm::vec2> HandSight::pixel(const glm::dvec3& place) const {
  const glm::vec4 seen = camera.projection(size) * camera.view() * glm::vec4(glm::vec3(place), 1);
  if (!(seen.w > 0)) return std::nullopt;
  const glm::vec2 at = glm::vec2(seen.x, -seen.y) / seen.w;
  return (at + 1.0F) / 2.0F * glm::vec2(size);
}

void HandGesture::meet(const std::optional<PickedBody>& met, const HandSight& sight) {
  meant = met ? Meant::body : Meant::space;
  plane = sight.plane(met ? std::optional(glm::dvec3(met->place)) : std::nullopt);
  from = met ? glm::dvec3(met->place) : sight.place(plane, pressed);
  if (met) body = met->index;
}

glm::dvec3 HandGesture::to(const HandSight& sight) const {
  // A body is moved as far as the pointer, which need not have met its middle.
  return from + (sight.place(plane, cursor) - sight.place(plane, pressed));
}

Body HandGesture::thrown(const HandSight& sight, const HandMeasure& measure) const {
  Body body{measure.mass * mass_factor, from.x, from.y, from.z};
  if (!dragged) return body;
  const glm::dvec3 velocity = (to(sight) - from) * (measure.speed / (full_drag * sight.picture_height()));
  body.vx = velocity.x, body.vy = velocity.y, body.vz = velocity.z;
  return body;
}

BodyEdit added(const HandGesture& gesture, const HandSight& sight, const HandMeasure& measure) {
  const Body thrown = gesture.thrown(sight, measure);
  if (!measure.is_set()) return BodyAdded{thrown};
  return SetAdded{measure.object, measure.bodies, thrown, measure.radius(sight), array_of(gesture.plane.normal),
                  measure.gravity};
}

void Hands::escape() {
  if (!gestures_.empty()) return gestures_.clear();
  if (chosen_) return chosen_.reset();
  on_ = false;
}

std::optional<std::uint32_t> Hands::subject() const {
  const HandGesture* const held = gesture();
  return held != nullptr && held->grabs() ? std::optional(held->body) : chosen_;
}

void Hands::follow(const BodyEdit& edit) {
  if (chosen_) chosen_ = index_after(edit, *chosen_);
  std::erase_if(gestures_, [&](HandGesture& gesture) {
    if (!gesture.grabs()) return false;
    const auto index = index_after(edit, gesture.body);
    gesture.body = index.value_or(0);
    return !index;
  });
}

bool Hands::take(const PointerEvent& event, float slack) {
  if (!on_) return false;
  const bool holds = !gestures_.empty() && gestures_.back().down;
  switch (event.kind) {
    case PointerEvent::Kind::press:
      if (event.button != PointerButton::left || event.shift || event.control || event.alt) return false;
      gestures_.push_back({.pressed = event.position, .cursor = event.position});
      return true;
    case PointerEvent::Kind::double_click:
      return event.button == PointerButton::left;
    case PointerEvent::Kind::release:
      if (event.button != PointerButton::left || !holds) return false;
      gestures_.back().cursor = event.position;
      gestures_.back().down = false;
      return true;
    case PointerEvent::Kind::move:
      if (!holds || event.middle_down || event.right_down) return false;
      gestures_.back().cursor = event.position;
      if (glm::distance(gestures_.back().pressed, event.position) > slack) gestures_.back().dragged = true;
      return true;
  }
  return false;
}

bool Hands::take(const ScrollEvent& event) {
  if (gestures_.empty() || !gestures_.back().down) return false;
  gestures_.back().mass_factor *= std::pow(factor_per_click, event.steps);
  return true;
}

std::optional<glm::vec2> Hands::take_pick() {
  if (gestures_.empty() || gestures_.front().meant != HandGesture::Meant::unknown) return std::nullopt;
  gestures_.front().meant = HandGesture::Meant::asked;
  return gestures_.front().pressed;
}

void Hands::pick_again() {
  if (!gestures_.empty() && gestures_.front().meant == HandGesture::Meant::asked)
    gestures_.front().meant = HandGesture::Meant::unknown;
}

void Hands::answer(const std::optional<PickedBody>& body, const HandSight& sight) {
  if (gestures_.empty() || gestures_.front().meant != HandGesture::Meant::asked) return;
  gestures_.front().meet(body, sight);
}

const HandGesture* Hands::gesture() const {
  if (gestures_.empty()) return nullptr;
  const HandGesture& first = gestures_.front();
  return first.meant == HandGesture::Meant::space || first.grabs() ? &first : nullptr;
}

std::optional<BodyEdit> Hands::take_edit(const HandSight& sight, const HandMeasure& measure) {
  const HandGesture* const present = gesture();
  if (present == nullptr || present->down) return std::nullopt;
  const HandGesture done = *present;
  gestures_.pop_front();
  if (!done.grabs()) return added(done, sight, measure);
  if (!done.dragged && done.mass_factor == 1) {
    chosen_ = chosen_ == done.body ? std::nullopt : std::optional(done.body);
    return std::nullopt;
  }
  BodyChanged change{.index = done.body, .mass_factor = done.mass_factor};
  if (done.dragged) change.place = array_of(done.to(sight));
  return change;
}

// While a hand rests, a path stays until the next is complete; after a move, the new path is shown as it grows.
void FlightForecast::follow(const std::optional<FlightPlan>& plan) {
  const auto take = [&](const FlightPath& path, const Body& of) {
    if (path == path_) return;
    path_ = path;
    path_of_ = of;
    ++serial_;
  };
  auto done = work_.poll();
  if (!plan) {
    *stop_ = true;
    if (!path_.empty()) path_.clear(), ++serial_;
    flying_.reset(), path_of_.reset();
    return;
  }
  if (flying_ && done && !*stop_) take(*done, flying_->thrown);
  if (flying_ && !done && work_.busy() && path_of_ != flying_->thrown)
    if (const auto begun = told_->told(); begun != nullptr) take(*begun, flying_->thrown), path_of_.reset();
  if (work_.busy() || flying_ == *plan) return;
  flying_ = plan;
  stop_ = std::make_shared<std::atomic<bool>>(false);
  told_ = std::make_shared<Announced<FlightPath>>();
  work_.start([plan = *plan, stop = stop_, told = told_] {
    return fly(plan, *stop, [&](const FlightPath& path) { told->tell(std::make_shared<const FlightPath>(path)); });
  });
}

}  // namespace orrery
