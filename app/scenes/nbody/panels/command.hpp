/// What panels and keys ask the n-body scene for. Plain values.
#pragma once

namespace orrery::command {

struct ReverseTime {};
/// From all pairs to a tree, or back.
struct SwitchForces {};
/// From no cells of the tree to all levels of them, to one level, and back.
struct SwitchCells {};
/// The left button adds, throws and grabs bodies, or moves the camera again.
struct ToggleHands {};
/// Of the body that is held or chosen.
struct RemoveBody {};
struct DuplicateBody {};
/// Begins to measure what each force error of the tree costs, or ends the measurement.
struct MeasureAccuracy {
  bool begin;
};
/// Begins to measure burst against transfer, or ends the measurement.
struct MeasureTransfer {
  bool begin;
};

}  // namespace orrery::command
