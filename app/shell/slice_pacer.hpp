/// How much device time a frame may enqueue where OpenGL draws on the same device: what is being computed then keeps
/// the picture waiting. Shorter at once when a frame comes late, longer little by little while none does, so that far
/// less than one frame in a hundred is late.
#pragma once

#include <algorithm>

namespace orrery::shell {

/// Seconds. A plain value; of a session.
class SlicePacer {
 public:
  static constexpr double shortest = 0.002, longest = 0.008;

  double slice() const { return slice_; }
  void presented(double frame, double refresh) {
    constexpr double late = 1.5;  // what a display or its clock wavers by is nobody's fault
    constexpr double cut = 0.8, growth = 1e-5;
    slice_ = std::clamp(frame > late * refresh ? cut * slice_ : slice_ + growth, shortest, longest);
  }

 private:
  double slice_ = 0.004;
};

}  // namespace orrery::shell
