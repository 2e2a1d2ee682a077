/// A high-dynamic-range picture and its display: bloom and tone mapping.
///
/// begin() → additive draws → end() → develop(); then show() in each frame. Draws write (colour · weight, weight): the sum of
/// weights is the brightness, the mean colour the hue. Window thread.
#pragma once

#include "render/gl.hpp"

namespace orrery::gl {

class Glow {
 public:
  Glow();

  /// Binds an empty picture of that size for additive draws.
  void begin(glm::ivec2 size);
  /// Computes the bloom of the picture.
  void end();
  /// Light becomes colours.
  void develop(float exposure);
  /// Copies what has been developed into the default framebuffer, with its lower left corner at `origin`.
  void show(glm::ivec2 origin) const;

 private:
  struct Level {
    RenderTarget shrunk{GL_RGBA16F};
    RenderTarget blurred{GL_RGBA16F};
  };
  void shrink_and_blur(const RenderTarget& from, Level& level);

  ShaderProgram shrink_, blur_, glow_, tone_map_;
  FullscreenTriangle triangle_;
  RenderTarget light_{GL_RGBA16F}, developed_{GL_RGBA8};
  Level near_, far_;
};

}  // namespace orrery::gl
