/// Records the timeline while a panel shows it, and copies it for the panel.
#pragma once

#include <memory>

#include "base/timeline.hpp"

namespace orrery::shell {

/// Window thread.
class TimelineKeeper {
 public:
  /// `always`: also while no panel shows it.
  void record_always(bool always) { always_ = always; }
  Timeline& timeline() { return timeline_; }

  /// Each frame: whether a panel shows the timeline, and whether that panel is paused.
  void follow(bool open, bool paused, double now);
  /// The newest spans, renewed ten times a second; while paused, all spans up to the pause. Null while no panel shows
  /// them.
  const std::shared_ptr<const TimelineView>& seen() const { return seen_; }
  /// The spans of an export: those that are shown while paused, else all.
  TimelineView exported() const { return whole_ && seen_ ? *seen_ : timeline_.view(); }

 private:
  Timeline timeline_;
  bool always_ = false;
  bool whole_ = false;  // seen_ has all spans
  double taken_ = 0;
  std::shared_ptr<const TimelineView> seen_;
};

}  // namespace orrery::shell
