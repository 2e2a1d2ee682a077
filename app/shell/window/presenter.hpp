/// Presents frames at an even rate if the display does not keep one, and records their durations.
///
/// Window thread.
#pragma once

#include <functional>
#include <utility>

#include "base/timeline.hpp"
#include "shell/window/pacing.hpp"
#include "shell/window/window.hpp"

namespace orrery::shell {

class Presenter {
 public:
  /// The arguments must outlive the presenter. `meanwhile` is called repeatedly while it waits, and returns the seconds
  /// until its next call.
  Presenter(Window& window, Timeline& timeline, bool vsync, double launched, std::function<double()> meanwhile)
      : window_(window), timeline_(timeline), vsync_(vsync), clock_(launched), meanwhile_(std::move(meanwhile)) {}

  bool vsync() const { return vsync_; }
  void set_vsync(bool on);
  /// Presents the drawn frame when it is due.
  void present();
  /// Keeps the shown picture. With `news`, the picture would have changed: the frame counts as longer.
  void leave_out(bool news);
  /// Waits until the next frame should begin.
  void wait_for_next();
  FrameClock& clock() { return clock_; }
  const FrameClock& clock() const { return clock_; }

 private:
  bool waits() const { return vsync_ || window_.minimised(); }
  double hold();
  void wait_until(double time, const char* phase_name);
  void pass_time_until(double time);
  double interval() const;

  Window& window_;
  Timeline& timeline_;
  bool vsync_;
  FrameClock clock_;
  FramePacer pacer_;
  std::function<double()> meanwhile_;
};

}  // namespace orrery::shell
