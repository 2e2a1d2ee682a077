#include "shell/presenter.hpp"

#include <thread>

#include "base/clock.hpp"

namespace orrery::shell {

void Presenter::set_vsync(bool on) {
  vsync_ = on;
  window_.set_vsync(on);
}

void Presenter::present() {
  const double drawn = now_seconds();
  if (!window_.minimised()) {
    window_.flush();
    wait_until(pacer_.present_at(), "hold");
  }
  pacer_.presents(drawn, now_seconds());
  const TimelinePhase phase(timeline_, "present");
  window_.present();
  clock_.presented(now_seconds());
}

// The clock keeps the rate where the display does not: without vertical synchronisation, or minimised. It runs a little
// ahead of the display, so that it never makes a display that keeps its rate skip a frame.
void Presenter::wait_for_next() {
  constexpr double ahead = 0.97;
  constexpr double minimised_interval = 0.1;
  pacer_.presented(now_seconds(), window_.minimised() ? minimised_interval : ahead * window_.refresh_seconds());
  wait_until(pacer_.begin_at(), "wait");
  pacer_.begins(now_seconds());
}

void Presenter::wait_until(double time, const char* phase_name) {
  if (!vsync_ && !window_.minimised()) return;
  const TimelinePhase phase(timeline_, phase_name);
  const double now = now_seconds();
  if (time > now) std::this_thread::sleep_for(std::chrono::duration<double>(time - now));
}

}  // namespace orrery::shell
