/// A picture of the Mandelbrot set in colours: a texture, and where it lies in the plane.
///
/// Window thread, with the GL context current.
#pragma once

#include "render/gl.hpp"
#include "scene/scene.hpp"
#include "scenes/mandelbrot/numbers/view.hpp"

namespace orrery {

struct Layer {
  gl::Texture texture;  ///< RGBA8, bottom row first; what is not known is transparent
  gl::Framebuffer framebuffer;
  mandelbrot::View view;
  mandelbrot::Size size;
  double log2_resolution = 0;  ///< of what all of it is known at least as sharply as
  std::uint64_t serial = 0;    ///< of the picture that it shows; 0: none
  bool shrinks = false;        ///< its smaller levels are made
  bool holes = false;          ///< some of it may not be known
  double border = 0;           ///< pixels beyond its edges that its outermost ones stand for

  explicit operator bool() const { return serial != 0; }
  std::size_t bytes() const { return 4 * size.pixels(); }
};

/// Makes it the target of draw calls, with room for a picture of that size.
void bind_target(Layer& layer, mandelbrot::Size size);

/// Draws layers into the viewport of the default framebuffer, each where the present view has it.
class LayerPainter {
 public:
  LayerPainter();

  struct Place {
    mandelbrot::Mapping map;  ///< from pixels of the viewport to pixels of the layer
    bool covers = false;      ///< all of the viewport
    bool visible = false;
    bool exact = false;  ///< pixel for pixel
  };
  static Place place(const Layer& layer, const mandelbrot::View& view, const Viewport& viewport);

  /// The look of the edges of a layer that does not cover the viewport.
  enum class Edges {
    plain,
    stretched,  ///< they fill the rest
    soft,       ///< they pass over into what is below
  };
  /// Where the layer has holes, what is below is seen.
  void draw(Layer& layer, const Place& at, const Viewport& viewport, Edges edges);
  /// So much of the layer, 0 … 1, and the rest of what is there.
  void mix(Layer& layer, const Place& at, const Viewport& viewport, float part);
  /// The same for a layer that is known everywhere, pixel for pixel.
  void copy(const Layer& layer, const Place& at, const Viewport& viewport);

 private:
  bool set_level(const Layer& layer, const Place& at, const Viewport& viewport, bool stretched);
  bool set_turned(const Layer& layer, const Place& at, const Viewport& viewport, bool stretched);

  gl::ShaderProgram program_{"mandelbrot_layer.vert", "mandelbrot_layer.frag"};
  gl::VertexArray array_;
};

}  // namespace orrery
