/// A small picture of the Julia set that belongs to the point under the cursor, in a corner of the viewport.
///
/// Drawn by the shader, anew only when the point has changed. Window thread, with the GL context current.
#pragma once

#include <glm/glm.hpp>
#include <optional>

#include "render/gl.hpp"
#include "scene/scene.hpp"
#include "scenes/mandelbrot/drawing/colors.hpp"

namespace orrery {

class JuliaPreview {
 public:
  void draw(glm::vec2 c, const MandelbrotColors& colors, const Viewport& viewport);

 private:
  gl::ShaderProgram program_{"fullscreen.vert", "julia.frag"};
  gl::FullscreenTriangle triangle_;
  gl::RenderTarget picture_{GL_RGBA8};
  std::optional<glm::vec2> drawn_;
  std::uint64_t palette_ = 0;
};

}  // namespace orrery
