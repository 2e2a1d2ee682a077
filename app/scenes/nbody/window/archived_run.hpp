/// The archive of a run (files/run_archive.hpp), as the window's past. Any thread.
#pragma once

#include <filesystem>
#include <memory>

#include "base/files/file.hpp"
#include "base/files/state_text.hpp"
#include "scene/past.hpp"
#include "scenes/nbody/files/run_state.hpp"
#include "scenes/nbody/model/settings.hpp"
#include "scenes/nbody/window/preparation.hpp"

namespace orrery {

using NbodyPast = Past<NbodyState, NbodySettings>;

/// A past and the devices that computed its bits; see RunningNbody::rounds_as(). Empty: unknown.
struct PastOfDevice {
  NbodyPast past;
  std::string device = {};
};

/// The keys of its last state, and all states that fit into memory. Moments of a tree from a run without a window are
/// exact, but nothing between them can be computed again, because the archive lacks the accuracy of its field.
struct ArchivedRun {
  StateSection state;
  std::size_t bodies = 0;
  std::shared_ptr<PastOfDevice> content;
};
/// Throws a usage Error for a file that is no archive, or is damaged.
ArchivedRun read_archived_run(const std::filesystem::path& path, const FileProgress& progress = {});
/// Writes the branch that is shown, which has moments. `info` is the first device, and `forces` the way of summing that
/// "auto" means there. Throws Error.
void write_archived_run(const std::filesystem::path& path, const PastOfDevice& run, const DeviceInfo& info,
                        std::string_view forces, const FileProgress& progress = {});

}  // namespace orrery
