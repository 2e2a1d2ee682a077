/// A high-dynamic-range picture and its display: bloom and tone mapping.
///
/// begin() → additive draws → end(); then show() in each frame. Draws write (colour · weight, weight): the sum of
/// weights is the brightness, the mean colour the hue. Window thread.
#pragma once

#include "render/gl.hpp"

namespace orrery::gl {

class Glow {
 public:
  Glow();

  /// The number format of pixels: sums of millions of draws need `floats`, because a half float loses additions below a
  /// thousandth of its value.
  enum class Sums { halves, floats };
  /// Binds an empty picture of that size for additive draws.
  void begin(glm::ivec2 size, Sums sums = Sums::halves);
  /// Binds the picture of the last begin() for further draws.
  void resume();
  /// Computes the bloom of the picture.
  void end();
  /// Draws the picture into the framebuffer of that name, with its lower left corner at `origin`. Its colours are kept
  /// from the second show() on, because most pictures of moving bodies are shown once.
  void show(GLuint framebuffer, glm::ivec2 origin, float exposure);

 private:
  struct Level {
    RenderTarget shrunk{GL_RGBA16F};
    RenderTarget blurred{GL_RGBA16F};
  };
  enum class Stage { lit, shown, developed };
  void shrink_and_blur(const RenderTarget& from, Level& level);
  void draw_colors(glm::ivec2 origin, float exposure);

  ShaderProgram shrink_, blur_, glow_, tone_map_;
  FullscreenTriangle triangle_;
  Sums sums_ = Sums::halves;
  RenderTarget light_{GL_RGBA16F}, developed_{GL_RGBA8};
  Level near_, far_;
  Stage stage_ = Stage::lit;  // stage of the picture
};

}  // namespace orrery::gl
