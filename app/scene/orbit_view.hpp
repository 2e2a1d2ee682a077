/// A view of objects around a point: a turntable camera that a person's pointer
/// moves, that follows one object, and that asks which object is under a click.
/// Window thread; no device.
#pragma once

#include <optional>
#include <string>

#include "render/camera.hpp"
#include "scene/camera_hand.hpp"
#include "scene/scene.hpp"

namespace orrery {

class OrbitView {
 public:
  /// A place to look for an object: pixels from the viewport's middle, y up.
  struct Pick {
    glm::vec2 cursor;
    float reach;  ///< pixels beside an object at which a click still means it
  };

  /// `reach` is in pixels at scale 1.
  explicit OrbitView(float reach) : reach_(reach) {}

  const Camera& camera() const { return camera_; }
  /// Half the viewport's size, in pixels.
  glm::vec2 middle() const { return glm::vec2(size_) / 2.0F; }
  /// Takes the size and the scale of the viewport.
  void fit(const Viewport& viewport);

  void pointer(const PointerEvent& event);
  /// Zooms about the pointer, or about the followed object.
  void scroll(const ScrollEvent& event, bool follows);
  /// The pick that a click has asked for, once.
  std::optional<Pick> take_pick() { return std::exchange(pick_, {}); }

  /// Another object is followed: the camera glides to it.
  void follow() { follower_.begin(); }
  void release() { follower_.release(); }
  /// Moves along with the followed object for a frame of that many seconds,
  /// where its place is known.
  void move(const std::optional<glm::dvec3>& place, double frame) { follower_.move(camera_, place, frame); }

  /// These objects are shown now. True when the camera was set up for others,
  /// and no state file has placed it.
  bool wants_home(const std::string& objects);
  /// The objects that the camera was set up for.
  const std::string& home_of() const { return home_of_; }
  /// Looks as this camera does; the field of view stays.
  void go_home(const Camera& home);

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
  CameraHand hand_;
  BodyFollower follower_;
  glm::ivec2 size_{0, 720};
  float scale_ = 1;
  std::optional<Pick> pick_;
  std::string home_of_;
  Placement placement_ = Placement::own;
};

}  // namespace orrery
