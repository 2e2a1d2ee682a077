/// Hands: with the left button a person adds bodies, throws them, and takes hold of those that are there.
///
/// A press on empty space adds a body where the button is released, or throws it from there where it was dragged; a
/// press on a body grabs it. The picture tells some frames later which of the two a press was; until then it waits.
/// Window thread; never waits.
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

/// How the picture is seen while a hand moves in it. Pixels of the viewport, origin top left.
struct HandSight {
  Camera camera;
  glm::ivec2 size{1, 1};

  /// The plane that a hand moves in: it faces the camera, or is horizontal where that looks down steeply.
  struct Plane {
    glm::dvec3 point{0, 0, 0}, normal{0, 0, 1};
  };
  /// Through this point; without one through the camera's target, or where the camera looks down steeply z = 0.
  Plane plane(const std::optional<glm::dvec3>& point = {}) const;
  /// The place in the plane that is seen at `pixel`.
  glm::dvec3 place(const Plane& plane, glm::vec2 pixel) const;
  /// Where a place is seen; nothing behind the camera.
  std::optional<glm::vec2> pixel(const glm::dvec3& place) const;
  /// The length that is as wide as the picture is high, where the camera looks.
  double picture_height() const { return camera.distance * size.y / camera.focal_pixels(size.y); }
};

/// What is new gets these.
struct HandMeasure {
  double mass = 1;              ///< of all of it, unless the wheel changes it
  double speed = 1;             ///< of a drag over a fifth of the picture's height
  std::string object = "body";  ///< see hand_objects
  std::int64_t bodies = 1;
  double gravity = 1;  ///< G

  bool is_set() const { return object != hand_objects.front(); }
  /// That holds nine tenths of a set's bodies: 0 of a body.
  double radius(const HandSight& sight) const { return is_set() ? 0.1 * sight.picture_height() : 0; }
};

/// A press of the left button, until what it does is done.
struct HandGesture {
  glm::vec2 pressed{0, 0}, cursor{0, 0};
  bool down = true, dragged = false;
  enum class Meant { unknown, asked, space, body } meant = Meant::unknown;
  std::uint32_t body = 0;       ///< that is grabbed
  HandSight::Plane plane = {};  ///< from when it is known what is meant, as the next two
  glm::dvec3 from{0, 0, 0};
  double mass_factor = 1;

  bool grabs() const { return meant == Meant::body; }
  /// It is known which body the press meets, or that there is none.
  void meet(const std::optional<PickedBody>& met, const HandSight& sight);
  glm::dvec3 to(const HandSight& sight) const;
  /// A release of the button now would throw this body, with the velocity that the drag gives it.
  Body thrown(const HandSight& sight, const HandMeasure& measure) const;
};

/// A gesture that ends over empty space adds this.
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
  /// Bodies have other indices now, or all are others.
  void follow(const BodyEdit& edit);
  void forget_bodies() { gestures_.clear(), chosen_.reset(); }

  // ---- the gesture

  /// False where the event is none of a hand: the camera's.
  bool take(const PointerEvent& event, float slack);
  /// False where nothing is held.
  bool take(const ScrollEvent& event);
  /// The pixel at which a body is to be searched, once.
  std::optional<glm::vec2> take_pick();
  /// The search was in vain: it is asked for again.
  void pick_again();
  void answer(const std::optional<PickedBody>& body, const HandSight& sight);
  /// The hand does this at present; null where it does nothing, or the picture has not told yet what it meant.
  const HandGesture* gesture() const;
  /// A released gesture changes the bodies so, once; a click on one has chosen it, or let it go, instead.
  std::optional<BodyEdit> take_edit(const HandSight& sight, const HandMeasure& measure);

 private:
  bool on_ = false;
  std::optional<std::uint32_t> chosen_;
  std::deque<HandGesture> gestures_;  // the last one is under the pointer
};

/// Computes paths on a worker thread: that of the latest plan, as soon as the one before is done.
class FlightForecast {
 public:
  FlightForecast() = default;
  ~FlightForecast() { *stop_ = true; }
  FlightForecast(const FlightForecast&) = delete;
  FlightForecast& operator=(const FlightForecast&) = delete;

  /// Once a frame; nothing: no path is wanted.
  void follow(const std::optional<FlightPlan>& plan);
  /// The last path, as far as it is known; it may be of an earlier moment of the same gesture. Empty where there is
  /// none.
  const FlightPath& path() const { return path_; }
  /// Counts the paths so far.
  std::int64_t serial() const { return serial_; }

 private:
  std::shared_ptr<std::atomic<bool>> stop_ = std::make_shared<std::atomic<bool>>(false);
  std::optional<FlightPlan> flying_;             // or flown last
  std::shared_ptr<Announced<FlightPath>> told_;  // of its path on the way
  Background<FlightPath> work_;
  FlightPath path_;
  std::optional<Body> path_of_;  // what flies it
  std::int64_t serial_ = 0;
};

}  // namespace orrery
