/// The pace of frames: when they were presented, when the next one begins, and how much it may compute.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/statistics.hpp"
#include "protocol/snapshot.hpp"
#include "scene/news.hpp"

namespace orrery::shell {

/// Remembers when frames ended, and which of them presented a picture. Times are seconds.
class FrameClock {
 public:
  /// `launched`: when the process began.
  explicit FrameClock(double launched) : launched_(launched) {}

  /// A frame has ended: right after presenting, or where what is shown is still right.
  void ended(double now);
  /// … by presenting a picture.
  void presented(double now);
  /// A picture is about to be presented; the first call counts.
  void note_picture(double now) {
    if (first_picture_ == 0) first_picture_ = now - launched_;
  }
  /// The scene shown has its kernels; the first call counts.
  void note_running(double now) {
    if (running_since_) return;
    running_since_ = now;
    before_running_ = count_;
  }
  /// From the launch on; nothing before.
  std::optional<double> first_running() const {
    return running_since_ ? std::optional(*running_since_ - launched_) : std::nullopt;
  }
  double running_for(double now) const { return running_since_ ? now - *running_since_ : 0; }
  double last_frame() const { return length_; }
  std::int64_t count() const { return count_; }
  /// Of these, from the first that shows what the scene computes; where none did so yet, all.
  std::int64_t counted() const { return count_ - before_running_; }
  double since_launch(double now) const { return now - launched_; }
  /// From the launch to the first frame and to the first picture; 0 before.
  double first_frame() const { return first_frame_; }
  double first_picture() const { return first_picture_; }

  /// The last few seconds, for the panel.
  FrameTimes recent() const;
  /// All frames since the start except the first (which includes the build of all kernels), for the stats file.
  FrameTimes whole_run() const;
  /// The frames of the last so many seconds.
  FrameTimes latest(double seconds) const;
  /// Pictures presented per second, within the last so many seconds.
  double pictures_per_second(double seconds) const;

 private:
  double launched_;
  double first_frame_ = 0, first_picture_ = 0;
  std::optional<double> running_since_;
  double last_ = 0;
  double length_ = 1.0 / 60;
  std::int64_t count_ = 0, before_running_ = 0;
  History recent_ms_{240};
  std::vector<float> all_ms_;
  std::vector<double> pictures_;  // when they were presented
};

/// Keeps the rate where the display does not (no vertical synchronisation, minimised): frames end at even intervals,
/// however long their work takes, and begin as late as that allows, so that input is fresh. Where presenting waits for
/// the display, the pacer adds no wait.
///
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
  /// A frame that is not drawn takes its time all the same. Returns when it ends.
  double left_out(double interval) {
    due_ = std::max(due_, begun_ + interval);
    return begun_ + interval;
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

/// Which frames are drawn: one that would show nothing new is left out, and the display goes on showing the last one.
/// Panels, whose numbers change all the time, are drawn a few times a second where nobody touches them.
///
/// Drawing by the processor takes its time from what computes there. Pictures that only follow a computation are then
/// fewer, though more than twenty a second; what a person does is drawn as fast as ever, and what comes of it moves as
/// smoothly as a view does.
///
/// Seconds, of one clock. A plain value.
class RedrawPacer {
 public:
  enum class Drawing {
    by_device,
    by_processor,
    by_busy_processor  ///< the one that computes as well
  };
  // After a touch: what it does is shown at once; what is pointed at lights up, and lists open.
  static constexpr double at_once = 0.1, lively = 0.5;
  // Two pictures by the processor: of a view that moves, and of a computation beside its kernels.
  static constexpr double between_moves = 0.9 / 30, beside_kernels = 0.9 / 22;

  /// A person has done something.
  void touched(double now) { touched_ = now; }
  void drawn(double now) { drawn_ = now; }
  void drawn_panels(double now) { panels_drawn_ = now; }

  bool due(double now, News news, Drawing drawing) const {
    if (now - touched_ < at_once) return true;
    return now - drawn_ >= spacing(is_touched(now) ? News::motion : news, drawing);
  }
  /// Panels are drawn anew with this picture.
  bool panels_due(double now, Drawing drawing) const {
    return drawing == Drawing::by_device || is_touched(now) || now - panels_drawn_ >= between_panels(drawing);
  }
  /// Between two pictures that nobody touches.
  double spacing(News news, Drawing drawing) const {
    if (news == News::none) return between_panels(drawing);
    if (drawing == Drawing::by_device) return 0;
    if (news == News::motion || drawing == Drawing::by_processor) return between_moves;
    return beside_kernels;
  }

 private:
  static constexpr double never = -1e9;
  static double between_panels(Drawing drawing) { return drawing == Drawing::by_device ? 0.1 : 0.25; }
  bool is_touched(double now) const { return now - touched_ < lively; }

  double touched_ = never, drawn_ = never, panels_drawn_ = never;
};

/// How long OpenGL may wait for what the same device computes. Some drivers draw beside a launch, others only after it,
/// or after all that a picture depends on. The time becomes shorter at once when a frame is late, and longer little by
/// little while frames are in time, so that far less than one frame in a hundred is late.
///
/// Seconds. A plain value, one for each device session.
class WaitPacer {
 public:
  struct Range {
    double shortest, longest, first;
  };
  /// A frame enqueues one slice at a time.
  static constexpr Range slices{0.002, 0.008, 0.004};
  /// Uneven launches leave most of the device empty at their end (ComputeContext::uneven_seconds).
  static constexpr Range uneven_launches{0.002, 0.016, 0.016};

  explicit WaitPacer(const Range& range) : range_(range), seconds_(range.first) {}

  double seconds() const { return seconds_; }
  void presented(double frame, double refresh) {
    constexpr double late = 1.5;  // intervals of a display vary by less
    constexpr double cut = 0.8, growth = 1e-5;
    const double next = frame > late * refresh ? cut * seconds_ : seconds_ + growth;
    seconds_ = std::clamp(next, range_.shortest, range_.longest);
  }

 private:
  Range range_;
  double seconds_;
};

}  // namespace orrery::shell
