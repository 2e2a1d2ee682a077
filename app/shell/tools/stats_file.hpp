/// The file of --stats: measurements of a run of the window.
#pragma once

#include <filesystem>
#include <string>

#include "protocol/snapshot.hpp"
#include "shell/devices/open_devices.hpp"
#include "shell/window/pacing.hpp"

namespace orrery::shell {

struct RunStats {
  OpenDevices* devices = nullptr;  ///< null: none open at the end
  const FrameClock& clock;
  const Scene* scene = nullptr;  ///< shown scene; null: none
  EditorSnapshot editor;
  TunerSnapshot tuner;
  std::string renderer;                ///< OpenGL's renderer
  double drawing = 0;                  ///< OpenGL's time divided by the time that passed; NaN: unknown
  double measured_seconds = 0;         ///< only the last seconds count; 0: the whole run
  std::filesystem::path left_session;  ///< file left by an unexpected end; empty: none
};

/// Throws Error.
void write_stats(const std::filesystem::path& path, const RunStats& stats);

}  // namespace orrery::shell
