/// The device time that a frame may enqueue where OpenGL draws on the same device: there the picture waits for what is
/// being computed. The slice becomes shorter at once when a frame is late, and longer little by little while frames are
/// in time, so that far less than one frame in a hundred is late.
#pragma once

#include <algorithm>

namespace orrery::shell {

/// Seconds. A plain value, one for each device session.
class SlicePacer {
 public:
  static constexpr double shortest = 0.002, longest = 0.008;

  double slice() const { return slice_; }
  void presented(double frame, double refresh) {
    constexpr double late = 1.5;  // intervals of a display vary by less
    constexpr double cut = 0.8, growth = 1e-5;
    slice_ = std::clamp(frame > late * refresh ? cut * slice_ : slice_ + growth, shortest, longest);
  }

 private:
  double slice_ = 0.004;
};

}  // namespace orrery::shell
