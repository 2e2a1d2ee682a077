/// Draws the Mandelbrot scene's pictures: reprojects them to the present view and colours them, all in one shader.
///
/// Window thread, with the GL context current.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "model/mandelbrot/coloring.hpp"
#include "render/gl.hpp"
#include "scene/mandelbrot_engine.hpp"

namespace orrery {

/// Corners of a rectangle in pixels of the viewport, y down.
struct Box {
  glm::vec2 from{0, 0};
  glm::vec2 to{0, 0};
};

class MandelbrotPainter {
 public:
  MandelbrotPainter();

  struct Scenery {
    mandelbrot::View view;
    mandelbrot::ColorSettings colors;
    std::optional<Box> box;
  };
  void draw(MandelbrotPicture* base, MandelbrotPicture* latest, const Scenery& scenery, const Viewport& viewport);
  /// Keeps a copy of the picture, to be shown as base until another device has computed one.
  void keep(const MandelbrotPicture& picture);

 private:
  /// What the shader needs of a picture.
  struct Source {
    GLuint buffer = 0;
    mandelbrot::View view;
    mandelbrot::Size size;
    double limit = 1;
  };
  void set_source(const gl::ShaderProgram& program, const char* prefix, int unit, const Source& source,
                  const mandelbrot::Mapping& map);
  void set_colors(const gl::ShaderProgram& program, const mandelbrot::ColorSettings& colors, double limit);

  gl::ShaderProgram moving_{"fullscreen.vert", "mandelbrot.frag"};
  gl::ShaderProgram still_{"fullscreen.vert", "mandelbrot_still.frag"};
  gl::FullscreenTriangle triangle_;
  std::array<gl::Texture, 2> values_;
  gl::Texture ramp_;
  std::string ramp_of_;
  gl::Buffer kept_buffer_;
  std::optional<Source> kept_;
};

}  // namespace orrery
