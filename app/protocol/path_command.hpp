/// Panels and keys send these commands of a scene (of_scene) to its camera path; they are the same for every scene that
/// has one. Plain values.
#pragma once

#include <cstddef>
#include <string>

namespace orrery::command {

/// A keyframe of the present view: at the strip's cursor where a person has put it, else behind the last one.
struct AddKeyframe {};
/// Plays the path from the cursor on, or stops.
struct TogglePath {};
struct PlayPath {
  double from = 0;  ///< seconds
};
/// The camera goes to where the path is at that time.
struct GoToTime {
  double time = 0;  ///< seconds
};
/// A keyframe has another time, between those of its neighbours.
struct MoveKeyframe {
  std::size_t index = 0;
  double time = 0;  ///< seconds
};
/// A keyframe is the present view from now on.
struct ReplaceKeyframe {
  std::size_t index = 0;
};
/// A row's value goes along with the camera from now on: each keyframe has this one, until it is replaced. Or it does
/// no more.
struct FollowPath {
  std::string row;
  double value = 0;
  bool follows = true;
};
struct RemoveKeyframe {
  std::size_t index = 0;
};

}  // namespace orrery::command
