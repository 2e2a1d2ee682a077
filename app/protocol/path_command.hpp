/// Commands of panels and keys to a scene's camera path (of_scene), shared by all scenes that have one. Plain values.
#pragma once

#include <cstddef>
#include <string>

namespace orrery::command {

/// Adds a keyframe of the present view: at the strip's cursor if a person has placed it, else after the last keyframe.
struct AddKeyframe {};
/// Plays the path from the cursor, or stops.
struct TogglePath {};
struct PlayPath {
  double from = 0;  ///< seconds
};
/// Moves the camera to the path's pose at that time.
struct GoToTime {
  double time = 0;  ///< seconds
};
/// Moves a keyframe to another time between its neighbours.
struct MoveKeyframe {
  std::size_t index = 0;
  double time = 0;  ///< seconds
};
/// Replaces a keyframe by the present view.
struct ReplaceKeyframe {
  std::size_t index = 0;
};
/// Makes a row's value follow the camera path, with the present value in each keyframe; or ends that.
struct FollowPath {
  std::string row;
  double value = 0;
  bool follows = true;
};
struct RemoveKeyframe {
  std::size_t index = 0;
};

}  // namespace orrery::command
