/// The window's settings remembered between runs: size, position, scene, and the arrangement of panels.
///
/// window.toml in the state folder, replaced atomically. Missing or invalid values are ignored. Runs that end by
/// themselves (--frames, --screenshot …) neither read nor write it.
#pragma once

#include <filesystem>
#include <glm/glm.hpp>
#include <optional>
#include <string>

#include "ui/panels.hpp"

namespace orrery::shell {

struct WindowMemory {
  std::optional<glm::ivec2> size, place;  ///< content area, in screen coordinates
  std::string scene;
  ui::Look look;
};

/// The path; empty without a state folder.
std::filesystem::path window_memory_file();
/// Errors are logged.
WindowMemory read_window_memory(const std::filesystem::path& file);
void write_window_memory(const std::filesystem::path& file, const WindowMemory& memory);

}  // namespace orrery::shell
