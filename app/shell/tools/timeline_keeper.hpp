/// When the timeline records, and the copies of it that the panels draw.
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

  /// Once a frame: whether a panel shows it, and whether what it shows is to stay.
  void follow(bool open, bool paused, double now);
  /// A few times a second the newest spans; while paused all that there were then. Null while no panel shows it.
  const std::shared_ptr<const TimelineView>& seen() const { return seen_; }
  /// What an export holds: what is shown while that stays, else everything.
  TimelineView exported() const { return whole_ && seen_ ? *seen_ : timeline_.view(); }

 private:
  Timeline timeline_;
  bool always_ = false;
  bool whole_ = false;  // what is seen is all that there was
  double taken_ = 0;
  std::shared_ptr<const TimelineView> seen_;
};

}  // namespace orrery::shell
