/// The view of scenes whose camera orbits a point. Window thread; no device.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/parameter.hpp"
#include "render/camera.hpp"
#include "scene/scene.hpp"

namespace orrery {

/// Keeps a body in the middle of the view. A plain value; any one thread.
class BodyFollower {
 public:
  /// A new body: the camera's target glides to it, then moves along with it.
  void begin() { place_.reset(), gliding_ = true; }
  /// The target stays where it is.
  void release() { place_.reset(), gliding_ = false; }
  /// Moves the camera by one frame of that many seconds; `place` is the drawn place of the body, if known. Panning
  /// stays as an offset from the body.
  void move(Camera& camera, const std::optional<glm::dvec3>& place, double frame);

 private:
  std::optional<glm::dvec3> place_;  // place in the last frame
  bool gliding_ = false;
  glm::dvec3 left_{0, 0, 0};  // remaining distance of the glide
};

/// Tells a click from a drag: the hand may shake a little. Pixels.
class ClickWatch {
 public:
  void press(glm::vec2 at) { pressed_ = at; }
  /// The pointer moved with the button down; true once it is a drag.
  bool drag(glm::vec2 at, float slack) {
    if (pressed_ && glm::distance(*pressed_, at) > slack) pressed_.reset();
    return !pressed_;
  }
  /// True when it was a click.
  bool release() { return std::exchange(pressed_, std::nullopt).has_value(); }

 private:
  std::optional<glm::vec2> pressed_;  // set until the pointer is dragged
};

/// A camera moved by the pointer: left drag orbits; right, middle or Shift drag pans.
class CameraHand {
 public:
  /// Moves the camera; true for a click: the left button was pressed and released without moving. `slack` is how many
  /// pixels a hand may shake.
  bool follow(Camera& camera, const PointerEvent& event, int viewport_height, float slack);
  glm::vec2 pointer() const { return pointer_; }

 private:
  glm::vec2 pointer_{0, 0};
  ClickWatch click_;
};

std::vector<Parameter> parameters(Camera& camera);
/// Steps shown per second, independent of the time step; 0: as fast as they are computed.
Parameter pace_row(std::int64_t& steps_per_second);
/// The visible speed of a simulation: the values of the rows steps-per-second, 0 for auto, and burst.
struct SeenPace {
  std::int64_t steps_per_second = 0, burst = 1;
  bool operator==(const SeenPace&) const = default;
};
/// Halves or doubles the pace by the steps per second; beyond `rate`, the steps computed per second now (0: unknown),
/// by a longer burst.
SeenPace changed_pace(SeenPace present, bool faster, double rate, std::int64_t longest_burst);
/// The window's notice of a new pace; `same`: it could not be changed.
std::string text_of(const SeenPace& pace, bool same);
/// The value as a real number, if it is a finite real or a whole number.
std::optional<double> finite_number(const Value& value);

/// A turntable camera that the pointer moves, that can follow an object and pick one by a click, and that is saved in
/// state files.
class OrbitView {
 public:
  /// A place to look for an object: pixels from the viewport's centre, y up.
  struct Pick {
    glm::vec2 cursor;
    float reach;  ///< pixels beside an object at which a click still means it
  };

  /// `reach` is in pixels at scale 1.
  explicit OrbitView(float reach) : reach_(reach) {}

  const Camera& camera() const { return camera_; }
  /// Half the viewport's size, in pixels.
  glm::vec2 middle() const { return glm::vec2(size_) / 2.0F; }
  glm::ivec2 size() const { return size_; }
  /// The height of the viewport as a length at the camera's target.
  double picture_height() const { return camera_.distance * size_.y / camera_.focal_pixels(size_.y); }
  /// Takes the size and the scale of the viewport.
  void fit(const Viewport& viewport);

  void pointer(const PointerEvent& event);
  /// Zooms about the pointer, or about the followed object.
  void scroll(const ScrollEvent& event, bool follows);
  /// How many pixels a hand may shake in a click.
  float slack() const;
  /// The pick that a click at this place asks for (pixels, origin top left).
  Pick pick_at(glm::vec2 place) const { return {(place - middle()) * glm::vec2(1, -1), reach_ * scale_}; }
  /// The pick that a click has asked for, once.
  std::optional<Pick> take_pick() { return std::exchange(pick_, {}); }

  /// Follows another object: the camera glides to it.
  void follow() { follower_.begin(); }
  void release() { follower_.release(); }
  /// Moves along with the followed object for a frame of that many seconds,
  /// where its place is known.
  void move(const std::optional<glm::dvec3>& place, double frame) { follower_.move(camera_, place, frame); }

  /// Starts or stops a slow orbit; returns the notice to show.
  std::string toggle_orbit();
  /// Orbits for a frame of that many seconds.
  void orbit(double frame);

  /// Notes the shown objects. True when the camera was set up for others and no state file has placed it.
  bool wants_home(const std::string& objects);
  /// True once objects or a state file have placed the camera.
  bool is_set_up() const { return !home_of_.empty() || placement_ == Placement::given; }
  /// The objects that the camera was set up for.
  const std::string& home_of() const { return home_of_; }
  /// The camera of the last go_home().
  const Camera& home() const { return home_; }
  /// Looks as this camera does; the field of view stays.
  void go_home(const Camera& home);

  /// Looks from the present direction at all of the finite places, or at nearly all of many.
  void fit_to(std::vector<glm::dvec3> places);

  /// Uses the camera of a path for now.
  void lead(const Camera& camera) { camera_ = camera; }
  /// Places the camera as a state file says.
  void place(const Camera& camera) {
    camera_ = camera;
    placement_ = Placement::given;
  }

 private:
  enum class Placement {
    own,
    given /* by a state file, for the objects that come next */
  };

  float reach_;
  Camera camera_;
  Camera home_;
  CameraHand hand_;
  BodyFollower follower_;
  glm::ivec2 size_{0, 720};
  float scale_ = 1;
  std::optional<Pick> pick_;
  std::string home_of_;
  Placement placement_ = Placement::own;
};

}  // namespace orrery
