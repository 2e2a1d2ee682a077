/// Presents frames at an even rate where the display does not keep one, and counts how long each took.
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
  /// What is passed must outlive the presenter. `meanwhile` is called again and again while it waits, and returns after
  /// how many seconds it should be called again.
  Presenter(Window& window, Timeline& timeline, bool vsync, double launched, std::function<double()> meanwhile)
      : window_(window), timeline_(timeline), vsync_(vsync), clock_(launched), meanwhile_(std::move(meanwhile)) {}

  bool vsync() const { return vsync_; }
  void set_vsync(bool on);
  /// Shows what has been drawn, when it is due.
  void present();
  /// Goes on showing what is shown. With `news`, something else would have been seen: the frame lasts on.
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
