/// Keeps the rate where the display does not (no vertical synchronisation, minimised): frames end at even intervals,
/// however long their work takes, and begin as late as that allows, so that input is fresh. Where presenting waits for
/// the display, the pacer adds no wait.
#pragma once

#include <algorithm>
#include <cmath>

namespace orrery::shell {

/// Seconds, of one clock. A plain value.
class FramePacer {
 public:
  /// After presenting: the next frame ends an interval after this one was due to end; a late frame is made up for.
  void presented(double now, double interval) {
    const double presenting = now - presented_from_, drawing = presented_from_ - waited_ - begun_;
    // The time of presenting where the device is ready.
    shortest_ = shortest_ < 0 ? presenting : std::min(presenting, std::lerp(shortest_, presenting, rise));
    const double unready = presenting - shortest_, idle = waited_;
    lead_ = std::clamp(lead_ + unready - fall * idle, std::min(drawing + shortest_, interval), interval);
    due_ = std::max(due_ + interval, now);
  }
  double begin_at() const { return due_ - lead_; }
  void begins(double now) {
    begun_ = now;
    waited_ = 0;
  }
  /// Once everything is drawn.
  double present_at() const { return due_ - shortest_; }
  void presents(double drawn, double now) {
    waited_ = now - drawn;
    presented_from_ = now;
  }

 private:
  static constexpr double rise = 0.01, fall = 0.01;  // each frame

  double due_ = 0, begun_ = 0, waited_ = 0, presented_from_ = 0;
  double lead_ = 0, shortest_ = -1;  // before the end; of presenting, negative when unknown
};

}  // namespace orrery::shell
