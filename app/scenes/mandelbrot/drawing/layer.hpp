/// Pictures of the Mandelbrot set in colours: textures, each with its place in the plane, and sums of samples.
///
/// Window thread, with the GL context current.
#pragma once

#include <vector>

#include "render/gl.hpp"
#include "scene/scene.hpp"
#include "scenes/mandelbrot/drawing/colors.hpp"
#include "scenes/mandelbrot/numbers/view.hpp"

namespace orrery {

/// A picture in colours, and where it lies in the plane.
struct Layer {
  gl::Texture texture;  ///< RGBA8, bottom row first; what is not known is transparent
  gl::Framebuffer framebuffer;
  mandelbrot::View view;
  mandelbrot::Size size;
  double log2_resolution = 0;  ///< of what all of it is known at least as sharply as
  std::uint64_t serial = 0;    ///< of the picture that it shows; 0: none
  bool shrinks = false;        ///< its smaller levels are made
  bool holes = false;          ///< some of it may not be known
  bool flat = false;           ///< there is nothing to see of it yet
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

/// Samples of one picture, each shifted within its pixels, added up in linear light: anti-aliasing that converges.
///
/// The smooth values of the samples are kept, as far as they fit, so that other colours cost no computing.
class MandelbrotSamples {
 public:
  MandelbrotSamples();
  ~MandelbrotSamples();
  MandelbrotSamples(const MandelbrotSamples&) = delete;
  MandelbrotSamples& operator=(const MandelbrotSamples&) = delete;

  /// Another picture, of which there is one sample yet: the one in the middle of the pixels.
  void begin();
  /// Other colours: what is kept is added again, some of it every frame.
  void recolor();
  /// Another sample; `first` is the one in the middle. It is in the sum at once, or after catch_up().
  void add(const MandelbrotColors::Values& first, const MandelbrotColors::Values& sample, MandelbrotColors& colors);
  /// Adds what is kept and not yet in the sum: all of it, or as much as a frame has time for.
  void catch_up(const MandelbrotColors::Values& first, MandelbrotColors& colors, bool all);
  /// Draws the mean into `target`.
  void mean(Layer& target, mandelbrot::Size size);

  /// How many samples the mean has.
  int count() const { return count_; }
  /// How many there would be in other colours.
  int kept() const { return 1 + static_cast<int>(kept_.size()); }

 private:
  bool keep(const MandelbrotColors::Values& sample);
  void add_first(const MandelbrotColors::Values& first, MandelbrotColors& colors);
  void bind_sum(mandelbrot::Size size);
  void add_to_sum(const MandelbrotColors::Values& values, MandelbrotColors& colors);
  void take_time();

  gl::ShaderProgram mean_{"fullscreen.vert", "mandelbrot_mean.frag"};
  gl::FullscreenTriangle triangle_;
  gl::RenderTarget sum_{GL_RGBA32F};
  int count_ = 1;
  std::vector<gl::Buffer> kept_;
  std::vector<gl::Buffer> spare_;
  std::size_t bytes_each_ = 0;
  std::size_t caught_up_ = 0;  // so many of the kept ones are in the sum

  GLuint timer_ = 0;
  int timed_ = 0;  // samples that the timer is measuring
  int per_frame_ = 1;
};

}  // namespace orrery
