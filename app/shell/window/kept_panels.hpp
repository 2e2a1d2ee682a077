/// A picture of the panels that is shown again without drawing them anew: an OpenGL that draws on the processor takes
/// as long for the letters as for a picture of bodies. Window thread, with the GL context current.
#pragma once

#include <glm/glm.hpp>
#include <vector>

#include "render/gl.hpp"

namespace orrery::shell {

/// A part of the framebuffer, in pixels, origin bottom left. `to` is beyond it.
struct PixelBox {
  glm::ivec2 from{0, 0}, to{0, 0};
  bool operator==(const PixelBox&) const = default;
};

/// The same parts, without any that overlap: those are replaced by what contains them.
std::vector<PixelBox> apart(std::vector<PixelBox> boxes);

class KeptPanels {
 public:
  /// Binds an empty picture of that size; panels are drawn into it, within these parts.
  void begin(glm::ivec2 size, const std::vector<PixelBox>& parts);
  /// Lays the picture over the default framebuffer. False where there is none of that size.
  bool show(glm::ivec2 size) const;

 private:
  gl::RenderTarget picture_{GL_RGBA8};
  gl::ShaderProgram lay_over_{"fullscreen.vert", "panels.frag"};
  gl::FullscreenTriangle triangle_;
  std::vector<PixelBox> parts_;
};

}  // namespace orrery::shell
