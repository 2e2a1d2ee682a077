/// Commands of panels and keys to the n-body scene. Plain values.
#pragma once

#include <cstdint>

namespace orrery::command {

struct ReverseTime {};
/// From all pairs to a tree, or back.
struct SwitchForces {};
/// From no cells of the tree to all levels of them, to one level, and back.
struct SwitchCells {};
/// The left button adds, throws and grabs bodies, or moves the camera again.
struct ToggleHands {};
/// These act on the body that is held, or else on the chosen one.
struct RemoveBody {};
struct DuplicateBody {};
/// Begins to measure what each force error of the tree costs, or ends the measurement.
struct MeasureAccuracy {
  bool begin;
};
/// Starts or stops the measurement of speed by steps per frame.
struct MeasureTransfer {
  bool begin;
};

/// Pauses, and shows what lies between the kept moments beside this step; then computes that step.
struct GoToStep {
  std::int64_t step;
  bool arrives = true;        ///< false: the hand still moves over the past, and nothing is computed
  bool other_branch = false;  ///< the step is one of what was computed before the last branching
};
/// Goes back by as many steps as there are in a burst.
struct StepBack {};
/// Shows the past below the picture, or hides it.
struct TogglePast {};

}  // namespace orrery::command
