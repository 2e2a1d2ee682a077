/// The pace of frames: presentation times, the start of the next frame, and its share of computing.
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

/// Records the ends of frames and of frames with pictures. Times are seconds.
class FrameClock {
 public:
  /// `launched`: when the process began.
  explicit FrameClock(double launched) : launched_(launched) {}

  /// Notes the end of a frame: after presenting, or when the shown picture is kept.
  void ended(double now);
  /// Notes a frame that presented a picture.
  void presented(double now);
  /// Notes the first picture about to be presented; later calls have no effect.
  void note_picture(double now) {
    if (first_picture_ == 0) first_picture_ = now - launched_;
  }
  /// Notes that the shown scene has its kernels; later calls have no effect.
  void note_running(double now) {
    if (running_since_) return;
    running_since_ = now;
    before_running_ = count_;
  }
  /// Seconds from the launch to note_running(); nothing before.
  std::optional<double> first_running() const {
    return running_since_ ? std::optional(*running_since_ - launched_) : std::nullopt;
  }
  double running_for(double now) const { return running_since_ ? now - *running_since_ : 0; }
  double last_frame() const { return length_; }
  std::int64_t count() const { return count_; }
  /// Frames since the first one with a computed picture; until then, all frames.
  std::int64_t counted() const { return count_ - before_running_; }
  double since_launch(double now) const { return now - launched_; }
  /// Seconds from the launch to the first frame and to the first picture; 0 before.
  double first_frame() const { return first_frame_; }
  double first_picture() const { return first_picture_; }

  /// The last few seconds, for the panel.
  FrameTimes recent() const;
  /// All frames since the start except the first (which includes the build of all kernels), for the stats file.
  FrameTimes whole_run() const;
  /// The frames of the last `seconds`.
  FrameTimes latest(double seconds) const;
  /// Pictures presented per second, over the last `seconds`.
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
  std::vector<double> pictures_;  // presentation times
};

/// Keeps the frame rate if the display does not (no vertical synchronisation, minimised): frames end at even intervals,
/// and begin as late as possible, so that input is fresh. If presenting waits for the display, the pacer adds no wait.
///
/// Times are seconds of one clock. A plain value.
class FramePacer {
 public:
  /// After presenting: the next frame ends an interval after this one was due to end; catches up after a late frame.
  void presented(double now, double interval) {
    const double presenting = now - presented_from_, drawing = presented_from_ - waited_ - begun_;
    // The duration of presenting when the device is ready.
    shortest_ = shortest_ < 0 ? presenting : std::min(presenting, std::lerp(shortest_, presenting, rise));
    const double unready = presenting - shortest_, idle = waited_;
    lead_ = std::clamp(lead_ + unready - fall * idle, std::min(drawing + shortest_, interval), interval);
    due_ = std::max(due_ + interval, now);
  }
  /// Counts a frame that is not drawn at full length. Returns its end.
  double left_out(double interval) {
    due_ = std::max(due_, begun_ + interval);
    return begun_ + interval;
  }
  double begin_at() const { return due_ - lead_; }
  void begins(double now) {
    begun_ = now;
    waited_ = 0;
  }
  /// The time to present once everything is drawn.
  double present_at() const { return due_ - shortest_; }
  void presents(double drawn, double now) {
    waited_ = now - drawn;
    presented_from_ = now;
  }

 private:
  static constexpr double rise = 0.01, fall = 0.01;  // per frame

  double due_ = 0, begun_ = 0, waited_ = 0, presented_from_ = 0;
  double lead_ = 0, shortest_ = -1;  // lead before the end; least time of presenting, negative: unknown
};

/// Decides which frames are drawn: a frame without news is left out, and the display keeps the last one. Panels, whose
/// numbers always change, are drawn a few times per second without input.
///
/// Drawing on the processor slows down computing there. Pictures that only follow a computation then come less often,
/// but more than 20 times per second; input and camera motion are always drawn at full rate.
///
/// Times are seconds of one clock. A plain value.
class RedrawPacer {
 public:
  enum class Drawing {
    by_device,
    by_processor,
    by_busy_processor  ///< the processor that also computes
  };
  // After input: seconds of immediate drawing, and of highlights and opening lists.
  static constexpr double at_once = 0.1, lively = 0.5;
  // Seconds between pictures drawn by the processor: of a moving view, and during its kernels.
  static constexpr double between_moves = 0.9 / 30, beside_kernels = 0.9 / 22;

  /// Notes input by a person.
  void touched(double now) { touched_ = now; }
  void drawn(double now) { drawn_ = now; }
  void drawn_panels(double now) { panels_drawn_ = now; }

  bool due(double now, News news, Drawing drawing) const {
    if (now - touched_ < at_once) return true;
    return now - drawn_ >= spacing(is_touched(now) ? News::motion : news, drawing);
  }
  /// True if the panels are redrawn with this picture.
  bool panels_due(double now, Drawing drawing) const {
    return drawing == Drawing::by_device || is_touched(now) || now - panels_drawn_ >= between_panels(drawing);
  }
  /// Seconds between two pictures without input.
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

/// The time that OpenGL may wait for computing on the same device. Some drivers draw during a launch, others only after
/// it, or after all inputs of a picture. A late frame shortens the time at once; frames in time lengthen it slowly, so
/// that far less than one frame in a hundred is late.
///
/// Seconds. A plain value, one for each device session.
class WaitPacer {
 public:
  struct Range {
    double shortest, longest, first;
  };
  /// Range for slices, of which a frame enqueues one at a time.
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
