/// The file of --stats: how a run of the window went.
#pragma once

#include <filesystem>
#include <string>

#include "protocol/snapshot.hpp"
#include "shell/devices/open_devices.hpp"
#include "shell/window/pacing.hpp"

namespace orrery::shell {

struct RunStats {
  OpenDevices* devices = nullptr;  ///< null where none was open at the end
  const FrameClock& clock;
  const Scene* scene = nullptr;  ///< that is shown; null where there is none
  EditorSnapshot editor;
  TunerSnapshot tuner;
  std::string renderer;                ///< of OpenGL
  double drawing = 0;                  ///< OpenGL's time divided by the time that passed; no number if unknown
  double measured_seconds = 0;         ///< the last ones alone are of interest; 0: the whole run
  std::filesystem::path left_session;  ///< what a session that closed unexpectedly has left; empty: none
};

/// Throws Error.
void write_stats(const std::filesystem::path& path, const RunStats& stats);

}  // namespace orrery::shell
