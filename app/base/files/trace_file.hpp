/// A timeline as a trace for ui.perfetto.dev and chrome://tracing.
///
/// The "JSON object format" of the Trace Event Format (Google): complete events ("X") with ts and dur in microseconds,
/// from the first span on, processes and threads named by metadata events ("M"). One process each for the window, every
/// OpenCL queue and OpenGL; a lane is a thread.
#pragma once

#include <filesystem>
#include <ostream>

#include "base/timeline.hpp"

namespace orrery {

void write_trace(std::ostream& stream, const TimelineView& view);
/// Writes the file atomically. Throws Error.
void write_trace(const std::filesystem::path& path, const TimelineView& view);

}  // namespace orrery
