#include "shell/window/presenter.hpp"

#include <algorithm>
#include <thread>

#include "base/clock.hpp"

namespace orrery::shell {

void Presenter::set_vsync(bool on) {
  vsync_ = on;
  window_.set_vsync(on);
}

// Presents only after drawing has ended: presenting would wait for it and leave the scene's device without work.
void Presenter::present() {
  window_.flush();
  const double drawn = hold();
  pacer_.presents(drawn, now_seconds());
  const TimelinePhase phase(timeline_, "present");
  window_.present();
  clock_.presented(now_seconds());
  pacer_.presented(now_seconds(), interval());
}

void Presenter::leave_out(bool news) {
  wait_until(pacer_.left_out(interval()), "wait");
  if (!news) clock_.ended(now_seconds());
}

// The clock keeps the rate if the display does not (no vertical synchronisation, minimised). It runs slightly faster
// than the display, so that it never makes a display skip a frame.
double Presenter::interval() const {
  constexpr double ahead = 0.97;
  constexpr double minimised_interval = 0.1;
  return window_.minimised() ? minimised_interval : ahead * window_.refresh_seconds();
}

void Presenter::wait_for_next() {
  wait_until(pacer_.begin_at(), "wait");
  pacer_.begins(now_seconds());
}

// Returns the time at which drawing ended.
double Presenter::hold() {
  constexpr double longest = 0.5, most = 0.002, share = 0.25;  // share of the time until the next call
  const double begun = now_seconds();
  if (!waits()) return begun;
  const TimelinePhase phase(timeline_, "hold");
  double now = begun;
  for (; now - begun < longest && !window_.drawn(); now = now_seconds()) {
    std::this_thread::sleep_for(std::chrono::duration<double>(share * std::min(most, meanwhile_())));
  }
  pass_time_until(pacer_.present_at());
  return now;
}

void Presenter::wait_until(double time, const char* phase_name) {
  if (!waits()) return;
  const TimelinePhase phase(timeline_, phase_name);
  pass_time_until(time);
}

void Presenter::pass_time_until(double time) {
  while (time > now_seconds()) {
    const double until_next = meanwhile_(), left = std::min(time - now_seconds(), until_next);
    if (left > 0) std::this_thread::sleep_for(std::chrono::duration<double>(left));
  }
}

}  // namespace orrery::shell
