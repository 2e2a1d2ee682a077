/// What the timeline remembers from frame to frame.
#pragma once

#include <cstdint>
#include <memory>

#include "base/timeline.hpp"

namespace orrery::ui {

struct TimelineUi {
  bool open = false;     ///< the drawer below the picture is shown; T
  bool paused = false;   ///< what is shown stays: by the button, or because it was zoomed or dragged
  bool hovered = false;  ///< likewise while the mouse is over the lanes
  bool whole = false;    ///< the next view is to be seen from end to end
  std::shared_ptr<const TimelineView> shown;
  double from = 0, length = 0;              ///< across the lanes; nanoseconds of the host's clock, as what follows
  double first = 0, last = 1, longest = 0;  ///< of the spans shown: begin, end, longest from queued to end
};

}  // namespace orrery::ui
