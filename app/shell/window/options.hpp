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
  std::string scene;  ///< name; default: the first scene
  glm::ivec2 size{1280, 720};
  std::optional<WindowMemory> memory;  ///< memory of the last run; nothing: this run is not remembered
  std::string device;                  ///< --device; its devices must exist
  std::int64_t split = 0;              ///< --split; 0: not given
  std::string device_hint;             ///< name of a state file's device, used if it exists, …
  std::int64_t split_hint = 1;         ///< … its number of parts, …
  std::string devices_hint;            ///< … or several, as --device names them
  bool interop = true;
  bool ui = true;
  bool vsync = true;
  bool profile = true;      ///< kernels are timed
  std::int64_t frames = 0;  ///< exit after these frames, from the first computed picture; 0: never
  double seconds = 0;       ///< exit these seconds after the launch; 0: never
  double measure = 0;       ///< exit after measuring these seconds; 0: no
  bool remote = false;      ///< a program drives the window
  double tune = 0;          ///< tune the scene's kernel first, for these seconds; 0: no
  std::filesystem::path screenshot;
  std::filesystem::path record;  ///< a film's name, or a folder; empty: none
  std::filesystem::path save_state;
  std::filesystem::path state;
  bool continues = false;      ///< continues the last regular session
  std::filesystem::path tour;  ///< tour to begin with; empty: none
  std::filesystem::path open;  ///< file to open as if dropped; empty: none
  std::filesystem::path stats;
  std::filesystem::path trace;
};

}  // namespace orrery::shell
