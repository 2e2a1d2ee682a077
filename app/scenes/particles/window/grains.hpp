/// Draws a crowd of small particles without the rasteriser: each writes its pixels itself, and the nearest wins. The
/// picture is that of points of these sizes (shaders/particles/grain.vert). Window thread, with a GL context.
#pragma once

#include "render/gl.hpp"

namespace orrery {

class Grains {
 public:
  /// A particle writes its pixels one after the other: so wide it may be.
  static constexpr double widest = 64;  // pixels

  Grains();
  /// The program whose uniforms tell camera and look, before draw(); it is current then.
  const gl::ShaderProgram& places() const { return splat_; }
  /// Likewise for the colours.
  const gl::ShaderProgram& colors() const { return color_; }
  /// Of `particles` published in the buffer one of `every` so many, into the framebuffer that is bound, which is of
  /// that size, with depths.
  void draw(unsigned surface_buffer, std::size_t particles, std::size_t every, glm::ivec2 size);

 private:
  void make_room(glm::ivec2 size);

  gl::ShaderProgram splat_, color_;
  gl::FullscreenTriangle triangle_;
  gl::Buffer nearest_, foremost_, filled_;
  glm::ivec2 size_{0, 0};
};

}  // namespace orrery
