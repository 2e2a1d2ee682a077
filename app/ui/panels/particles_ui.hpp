/// What the panels of the particles scene remember from frame to frame: the law that is being typed.
#pragma once

#include <cstdint>
#include <string>

#include "ui/panels/editor_ui.hpp"

namespace orrery::ui {

struct ParticlesUi {
  bool open = false;   ///< a law is shown below the picture
  bool shown = false;  ///< … in this frame: the scene is there, and no kernel is edited in its place
  std::string law;
  std::string text;            ///< as typed
  std::string sent;            ///< what was sent last
  std::uint64_t revision = 0;  ///< of the laws that the text is of
  double typed_at = 0;         ///< seconds; when the text changed last
  CodeState code;
};

}  // namespace orrery::ui
