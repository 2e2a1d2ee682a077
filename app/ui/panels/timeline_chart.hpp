/// The lanes of a timeline, drawn; they answer the wheel (zoom), a drag (pan) and the resting mouse (what a bar is).
#pragma once

#include "ui/widgets.hpp"

namespace orrery::ui {

/// What state.timeline shows, at the cursor, as large as `size`.
void timeline_chart(const Panel& panel, ImVec2 size);

/// Shows another view, which is not null, in the same place.
void take(TimelineUi& timeline, std::shared_ptr<const TimelineView> view);
/// Moves to the last few frames of which everything is known.
void show_newest(TimelineUi& timeline);
/// … and to everything there is.
void show_all(TimelineUi& timeline);

}  // namespace orrery::ui
