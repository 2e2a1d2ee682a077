#include "scene/orbit_view.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/error.hpp"
#include "base/text.hpp"

namespace orrery {
namespace {

constexpr double any_length = 1e300;    // limit of a camera's coordinate
constexpr double glide_seconds = 0.18;  // until 1/e of the distance remains
constexpr double arrived = 1e-3;        // share of the camera's distance; less than a pixel
constexpr double slow_orbit = 6;        // degrees per second: one turn in a minute
constexpr double fastest_orbit = 360;
constexpr std::int64_t fastest_pace = 1'000'000;  // steps a second
constexpr float click_slack = 4;                  // pixels at scale 1 between press and release of a click

}  // namespace

bool CameraHand::follow(Camera& camera, const PointerEvent& event, int viewport_height, float slack) {
  const glm::vec2 moved = event.position - std::exchange(pointer_, event.position);
  if (event.kind == PointerEvent::Kind::move) {
    if (event.right_down || event.middle_down || (event.left_down && event.shift))
      camera.pan(moved, viewport_height);
    else if (event.left_down && click_.drag(event.position, slack))
      camera.orbit(moved, viewport_height);
    return false;
  }
  if (event.button != PointerButton::left) return false;
  if (event.kind == PointerEvent::Kind::press && !event.shift) click_.press(event.position);
  return event.kind == PointerEvent::Kind::release && click_.release();
}

std::vector<Parameter> parameters(Camera& camera) {
  const auto row = [](std::string_view name, std::string_view label, std::string_view unit, std::string_view help,
                      double most, double& target) {
    return Parameter({.name = name,
                      .label = label,
                      .unit = unit,
                      .help = help,
                      .minimum = -most,
                      .maximum = most,
                      .place = ParameterPlace::view},
                     &target);
  };
  return {row("camera-x", "Camera x", "length", "point that the camera looks at, x", any_length, camera.target.x),
          row("camera-y", "Camera y", "length", "point that the camera looks at, y", any_length, camera.target.y),
          row("camera-z", "Camera z", "length", "point that the camera looks at, z", any_length, camera.target.z),
          {{.name = "camera-distance",
            .label = "Camera distance",
            .unit = "length",
            .help = "distance of the camera from that point",
            .maximum = any_length,
            .above_minimum = true,
            .place = ParameterPlace::view},
           &camera.distance},
          row("camera-azimuth", "Camera azimuth", "radians", "direction of the camera about the z axis", any_length,
              camera.azimuth),
          row("camera-elevation", "Camera elevation", "radians", "direction of the camera above z = 0",
              steepest_elevation, camera.elevation),
          row("camera-orbit", "Camera orbit", "degrees/s", "angular speed of the camera about that point; 0: at rest",
              fastest_orbit, camera.orbit_speed)};
}

Parameter pace_row(std::int64_t& steps_per_second) {
  return {{.name = "steps-per-second",
           .label = "Steps a second",
           .help = "largest number of time steps a second; auto: no limit. A film has a frame for each burst",
           .minimum = 1,
           .maximum = fastest_pace,
           .soft_minimum = 1,
           .soft_maximum = 10'000,
           .logarithmic = true,
           .automatic = true},
          &steps_per_second};
}

SeenPace changed_pace(SeenPace present, bool faster, double rate, std::int64_t longest_burst) {
  constexpr double frames_per_second = 60, reached = 0.8, finest = 0.01;
  std::int64_t& most = present.steps_per_second;
  const bool limited = most > 0;
  if (faster && !limited) {
    present.burst = std::min(2 * present.burst, longest_burst);
  } else if (faster) {
    // A limit has no effect where the device is slower.
    const bool follows = rate == 0 || rate >= reached * static_cast<double>(most);
    most = follows && most <= fastest_pace / 2 ? 2 * most : 0;
  } else {
    const double computed = rate > 0 ? rate : frames_per_second * static_cast<double>(present.burst);
    const double now = limited ? std::min(static_cast<double>(most), std::max(computed, 1.0)) : computed;
    const double unit = std::max(std::pow(10, std::floor(std::log10(std::max(now / 2, 1.0)))) * 10 * finest, 1.0);
    most = std::clamp(std::llround(now / 2 / unit) * std::llround(unit), 1LL, static_cast<long long>(fastest_pace));
  }
  return present;
}

std::string text_of(const SeenPace& pace, bool same) {
  const auto steps = [](std::int64_t count) { return grouped(count) + (count == 1 ? " step" : " steps"); };
  if (pace.steps_per_second > 0)
    return steps(pace.steps_per_second) + " a second" + (same ? ", which is the slowest pace" : "");
  if (same) return steps(pace.burst) + " a frame, which is the fastest pace";
  return steps(pace.burst) + " a frame, without a limit of speed";
}

std::optional<double> finite_number(const Value& value) {
  if (const auto* real = std::get_if<double>(&value); real != nullptr && std::isfinite(*real)) return *real;
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  return std::nullopt;
}

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

void OrbitView::fit(const Viewport& viewport) {
  size_ = viewport.size;
  scale_ = viewport.scale;
}

float OrbitView::slack() const { return click_slack * scale_; }

void OrbitView::pointer(const PointerEvent& event) {
  if (hand_.follow(camera_, event, size_.y, slack())) pick_ = pick_at(event.position);
}

void OrbitView::scroll(const ScrollEvent& event, bool follows) {
  camera_.zoom(event.steps, follows ? glm::vec2(0) : event.position - middle(), size_.y);
}

std::string OrbitView::toggle_orbit() {
  camera_.orbit_speed = camera_.orbit_speed == 0 ? slow_orbit : 0;
  return camera_.orbit_speed == 0 ? "The camera is at rest" : "The camera orbits. Press M to stop";
}

void OrbitView::orbit(double frame) {
  if (camera_.orbit_speed == 0) return;
  constexpr double round = 2 * std::numbers::pi;
  camera_.azimuth = std::remainder(camera_.azimuth + frame * camera_.orbit_speed * round / 360, round);
}

bool OrbitView::wants_home(const std::string& objects) {
  if (std::exchange(home_of_, objects) == objects) return false;
  return std::exchange(placement_, Placement::own) == Placement::own;
}

void OrbitView::go_home(const Camera& home) {
  const double field_of_view = camera_.field_of_view;
  camera_ = home;
  camera_.field_of_view = field_of_view;
  home_ = camera_;
  placement_ = Placement::own;
}

void OrbitView::fit_to(std::vector<glm::dvec3> places) {
  constexpr std::size_t few = 32;
  constexpr double most = 0.98, margin = 1.15;
  std::erase_if(places, [](const glm::dvec3& p) { return !std::isfinite(p.x + p.y + p.z); });
  if (places.empty()) return;
  const double kept = places.size() <= few ? 1 : most;
  const auto quantile = [](std::vector<double>& values, double part) {
    const auto at = values.begin() + std::lround(part * static_cast<double>(values.size() - 1));
    std::nth_element(values.begin(), at, values.end());
    return *at;
  };
  std::vector<double> values(places.size());
  for (int axis = 0; axis < 3; ++axis) {
    std::ranges::transform(places, values.begin(), [&](const glm::dvec3& p) { return p[axis]; });
    camera_.target[axis] = (quantile(values, 1 - kept) + quantile(values, kept)) / 2;
  }
  std::ranges::transform(places, values.begin(), [&](const glm::dvec3& p) { return glm::distance(p, camera_.target); });
  const double radius = quantile(values, kept), side = std::min(size_.x, size_.y);
  if (radius > 0 && side > 0) camera_.distance = margin * radius * camera_.focal_pixels(size_.y) / (side / 2);
}

}  // namespace orrery
