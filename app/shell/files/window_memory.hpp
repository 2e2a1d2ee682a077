/// What the window remembers from one run to the next: size, place, scene, and how a person has arranged the panels.
///
/// window.toml in the state folder; written beside and renamed. A value that is missing or makes no sense counts as not
/// remembered. Runs that end by themselves (--frames, --screenshot …) neither read nor write it.
#pragma once

#include <filesystem>
#include <glm/glm.hpp>
#include <optional>
#include <string>

#include "ui/panels.hpp"

namespace orrery::shell {

struct WindowMemory {
  std::optional<glm::ivec2> size, place;  ///< of the contents, in screen coordinates
  std::string scene;
  ui::Look look;
};

/// Empty if there is no such folder.
std::filesystem::path window_memory_file();
/// Errors are logged.
WindowMemory read_window_memory(const std::filesystem::path& file);
void write_window_memory(const std::filesystem::path& file, const WindowMemory& memory);

}  // namespace orrery::shell
