/// Hands: with the left button the user adds bodies, throws them, and grabs existing ones.
///
/// A press on empty space adds a body where the button is released, or throws it from there where it was dragged; a
/// press on a body grabs it. The picture finds some frames later which of the two a press was; the gesture waits until
/// then. Window thread; never waits.
#pragma once

#include <atomic>
#include <deque>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "base/work/announced.hpp"
#include "base/work/background.hpp"
#include "render/camera.hpp"
#include "scene/orbit_view.hpp"
#include "scenes/nbody/bodies/body_edit.hpp"
#include "scenes/nbody/model/flight.hpp"
#include "scenes/nbody/window/renderer.hpp"

namespace orrery {

/// The view of the picture while a hand moves in it. Pixels of the viewport, origin top left.
struct HandSight {
  Camera camera;
  glm::ivec2 size{1, 1};

  /// The plane of a hand's motion: it faces the camera, or is horizontal if that looks down steeply.
  struct Plane {
    glm::dvec3 point{0, 0, 0}, normal{0, 0, 1};
  };
  /// The plane through this point; without one through the camera's target, or z = 0 if the camera looks down steeply.
  Plane plane(const std::optional<glm::dvec3>& point = {}) const;
  /// The place in the plane that is seen at `pixel`.
  glm::dvec3 place(const Plane& plane, glm::vec2 pixel) const;
  /// The pixel of a place; nothing behind the camera.
  std::optional<glm::vec2> pixel(const glm::dvec3& place) const;
  /// The length that is as wide as the picture is high, where the camera looks.
  double picture_height() const { return camera.distance * size.y / camera.focal_pixels(size.y); }
};

/// The values of new bodies.
struct HandMeasure {
  double mass = 1;              ///< total, unless the wheel changes it
  double speed = 1;             ///< speed of a drag over a fifth of the picture's height
  std::string object = "body";  ///< see hand_objects
  std::int64_t bodies = 1;
  double gravity = 1;  ///< G

  bool is_set() const { return object != hand_objects.front(); }
  /// The radius that holds nine tenths of a set's bodies; 0 for a single body.
  double radius(const HandSight& sight) const { return is_set() ? 0.1 * sight.picture_height() : 0; }
};

/// A press of the left button, until its effect is complete.
struct HandGesture {
  glm::vec2 pressed{0, 0}, cursor{0, 0};
  bool down = true, dragged = false;
  enum class Meant { unknown, asked, space, body } meant = Meant::unknown;
  std::uint32_t body = 0;       ///< the grabbed body
  HandSight::Plane plane = {};  ///< set once `meant` is known, like the next two
  glm::dvec3 from{0, 0, 0};
  double mass_factor = 1;

  bool grabs() const { return meant == Meant::body; }
  /// Sets the body that the press meets; nothing: empty space.
  void meet(const std::optional<PickedBody>& met, const HandSight& sight);
  glm::dvec3 to(const HandSight& sight) const;
  /// The body that a release now would throw, with the velocity of the drag.
  Body thrown(const HandSight& sight, const HandMeasure& measure) const;
};

/// The edit of a gesture that ends over empty space.
BodyEdit added(const HandGesture& gesture, const HandSight& sight, const HandMeasure& measure);

class Hands {
 public:
  bool on() const { return on_; }
  void toggle() { on_ = !on_, gestures_.clear(), chosen_.reset(); }
  /// Ends the gesture, else the choice, else Hands.
  void escape();
  /// The body that a click has chosen.
  const std::optional<std::uint32_t>& chosen() const { return chosen_; }
  /// The body that is held, else the chosen one.
  std::optional<std::uint32_t> subject() const;
  /// Adapts to new indices of the bodies, or to new bodies.
  void follow(const BodyEdit& edit);
  void forget_bodies() { gestures_.clear(), chosen_.reset(); }

  // ---- the gesture

  /// False if the event is for the camera.
  bool take(const PointerEvent& event, float slack);
  /// False where nothing is held.
  bool take(const ScrollEvent& event);
  /// Returns once the pixel at which to search for a body.
  std::optional<glm::vec2> take_pick();
  /// Requests the search again after it failed.
  void pick_again();
  void answer(const std::optional<PickedBody>& body, const HandSight& sight);
  /// The present gesture; null if there is none, or its meaning is not known yet.
  const HandGesture* gesture() const;
  /// Returns once the edit of a released gesture; a click on a body instead chooses it, or cancels the choice.
  std::optional<BodyEdit> take_edit(const HandSight& sight, const HandMeasure& measure);

 private:
  bool on_ = false;
  std::optional<std::uint32_t> chosen_;
  std::deque<HandGesture> gestures_;  // the last one is under the pointer
};

/// Computes paths on a worker thread: after each path that of the latest plan.
class FlightForecast {
 public:
  FlightForecast() = default;
  ~FlightForecast() { *stop_ = true; }
  FlightForecast(const FlightForecast&) = delete;
  FlightForecast& operator=(const FlightForecast&) = delete;

  /// Called once per frame; nothing: no path is wanted.
  void follow(const std::optional<FlightPlan>& plan);
  /// The last path, as far as it is known; it may be of an earlier moment of the same gesture. Empty where there is
  /// none.
  const FlightPath& path() const { return path_; }
  /// Counts the paths so far.
  std::int64_t serial() const { return serial_; }

 private:
  std::shared_ptr<std::atomic<bool>> stop_ = std::make_shared<std::atomic<bool>>(false);
  std::optional<FlightPlan> flying_;             // present plan, or the last one
  std::shared_ptr<Announced<FlightPath>> told_;  // its path so far
  Background<FlightPath> work_;
  FlightPath path_;
  std::optional<Body> path_of_;  // body of path_
  std::int64_t serial_ = 0;
};

}  // namespace orrery
