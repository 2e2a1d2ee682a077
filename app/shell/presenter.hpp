/// Presents frames at an even rate where the display does not keep one, and counts how long each took.
///
/// Window thread.
#pragma once

#include "base/timeline.hpp"
#include "shell/pacing.hpp"
#include "shell/window.hpp"

namespace orrery::shell {

class Presenter {
 public:
  /// What is passed must outlive the presenter.
  Presenter(Window& window, Timeline& timeline, bool vsync, double launched)
      : window_(window), timeline_(timeline), vsync_(vsync), clock_(launched) {}

  bool vsync() const { return vsync_; }
  void set_vsync(bool on);
  /// Shows what has been drawn, when it is due.
  void present();
  /// Waits until the next frame should begin.
  void wait_for_next();
  FrameClock& clock() { return clock_; }
  const FrameClock& clock() const { return clock_; }

 private:
  void wait_until(double time, const char* phase_name);

  Window& window_;
  Timeline& timeline_;
  bool vsync_;
  FrameClock clock_;
  FramePacer pacer_;
};

}  // namespace orrery::shell
