/// Draws the bifurcation diagram at the bottom of the picture, and lines at the doublings.
///
/// Window thread, with the GL context current.
#pragma once

#include <vector>

#include "render/gl.hpp"
#include "scene/scene.hpp"
#include "scenes/mandelbrot/pictures/diagram_engine.hpp"

namespace orrery {

class DiagramPainter {
 public:
  struct Scenery {
    mandelbrot::DiagramFrame frame;  ///< where the diagram lies now
    std::vector<float> marks;        ///< columns of superstable points
    float axis = 0;                  ///< the row of the real axis, in pixels from the top of the picture
  };
  /// `diagram` may be null, or of another view, from which it is reprojected.
  void draw(mandelbrot::PublishedDiagram* diagram, const Scenery& scenery, const Viewport& viewport);
  /// Whether draw() would show another diagram than the last time, or show it elsewhere.
  bool shows_other(const mandelbrot::PublishedDiagram* diagram, const mandelbrot::DiagramFrame& frame) const;

 private:
  gl::ShaderProgram program_{"fullscreen.vert", "mandelbrot_bifurcation.frag"};
  gl::FullscreenTriangle triangle_;
  gl::Texture values_ = gl::make_texture();
  std::uint64_t serial_ = 0;          // last drawn diagram …
  mandelbrot::DiagramFrame frame_{};  // … and its frame
};

}  // namespace orrery
