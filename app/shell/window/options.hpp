/// The options of the window's command line.
#pragma once

#include <cstdint>
#include <filesystem>
#include <glm/glm.hpp>
#include <optional>
#include <string>

#include "shell/files/window_memory.hpp"

namespace orrery::shell {

struct WindowOptions {
  std::string scene;  ///< a name; of the first scene unless given
  glm::ivec2 size{1280, 720};
  std::optional<WindowMemory> memory;  ///< of the last run; nothing where this one is not to be remembered
  std::string device;                  ///< --device; must name devices
  std::int64_t split = 0;              ///< --split; 0: not given
  std::string device_hint;             ///< of a state file, by its name; taken where it is still there, …
  std::int64_t split_hint = 1;         ///< … in so many parts
  std::string devices_hint;            ///< … or several, as --device names them
  bool interop = true;
  bool ui = true;
  bool vsync = true;
  bool profile = true;      ///< kernels are timed
  std::int64_t frames = 0;  ///< leave after so many frames from the first computed picture on; 0: never
  double seconds = 0;       ///< leave so long after the launch; 0: never
  double measure = 0;       ///< leave when so much has been measured; 0: no
  bool remote = false;      ///< a program drives the window
  double tune = 0;          ///< begin with tuning the scene's kernel for so long; 0: no
  std::filesystem::path screenshot;
  std::filesystem::path record;  ///< a film's name, or a folder; empty: none
  std::filesystem::path save_state;
  std::filesystem::path state;
  bool continues = false;      ///< from the last session, which ended as it should
  std::filesystem::path tour;  ///< that is shown at first; empty: none
  std::filesystem::path open;  ///< likewise a file, as if it had been dropped
  std::filesystem::path stats;
  std::filesystem::path trace;
};

}  // namespace orrery::shell
