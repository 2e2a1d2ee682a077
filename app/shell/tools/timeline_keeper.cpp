#include "shell/tools/timeline_keeper.hpp"

namespace orrery::shell {

void TimelineKeeper::follow(bool open, bool paused, double now) {
  constexpr double interval = 0.1;           // seconds
  constexpr std::size_t many_frames = 4096;  // spans
  timeline_.record(always_ || open);
  if (!open) {
    seen_.reset();
    whole_ = false;
    return;
  }
  if (paused ? whole_ : now - taken_ < interval) return;
  whole_ = paused;
  taken_ = now;
  seen_ = std::make_shared<const TimelineView>(paused ? timeline_.view() : timeline_.view(many_frames));
}

}  // namespace orrery::shell
