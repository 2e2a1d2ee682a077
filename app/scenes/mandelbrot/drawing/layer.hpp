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
  gl::Texture texture;  ///< RGBA8, bottom row first; unknown pixels are transparent
  gl::Framebuffer framebuffer;
  mandelbrot::View view;
  mandelbrot::Size size;
  double log2_resolution = 0;  ///< log₂ of the coarsest spacing of known pixels
  std::uint64_t serial = 0;    ///< of the picture that it shows; 0: none
  bool shrinks = false;        ///< it has its smaller levels
  bool holes = false;          ///< some pixels may be unknown
  bool flat = false;           ///< without visible detail yet
  double border = 0;           ///< pixels beyond its edges that the outermost ones represent

  explicit operator bool() const { return serial != 0; }
  std::size_t bytes() const { return 4 * size.pixels(); }
};

/// Binds the layer as the target of draw calls, resized for a picture of that size.
void bind_target(Layer& layer, mandelbrot::Size size);

/// Draws layers into the viewport of the default framebuffer, each at its place in the present view.
class LayerPainter {
 public:
  LayerPainter();

  struct Place {
    mandelbrot::Mapping map;  ///< from pixels of the viewport to pixels of the layer
    bool covers = false;      ///< it covers all of the viewport
    bool visible = false;
    bool exact = false;  ///< pixel for pixel
  };
  static Place place(const Layer& layer, const mandelbrot::View& view, const Viewport& viewport);

  /// The look of the edges of a layer that does not cover the viewport.
  enum class Edges {
    plain,
    stretched,  ///< they are stretched over the rest
    soft,       ///< they fade into the layers below
  };
  /// Draws a layer; the layers below show through its holes.
  void draw(Layer& layer, const Place& at, const Viewport& viewport, Edges edges);
  /// Mixes `part`, 0 … 1, of the layer into the framebuffer.
  void mix(Layer& layer, const Place& at, const Viewport& viewport, float part);
  /// The same for a layer without holes, pixel for pixel.
  void copy(const Layer& layer, const Place& at, const Viewport& viewport);

 private:
  bool set_level(const Layer& layer, const Place& at, const Viewport& viewport, bool stretched);
  bool set_turned(const Layer& layer, const Place& at, const Viewport& viewport, bool stretched);

  gl::ShaderProgram program_{"mandelbrot_layer.vert", "mandelbrot_layer.frag"};
  gl::VertexArray array_;
};

/// Samples of one picture, each shifted within its pixels, added up in linear light: anti-aliasing that converges.
///
/// The smooth values of the samples are kept, as far as they fit, so that other colours need no computation.
class MandelbrotSamples {
 public:
  MandelbrotSamples();
  ~MandelbrotSamples();
  MandelbrotSamples(const MandelbrotSamples&) = delete;
  MandelbrotSamples& operator=(const MandelbrotSamples&) = delete;

  /// Starts another picture, with one sample: the one in the middle of the pixels.
  void begin();
  /// Starts other colours: kept samples are added again, some of them every frame.
  void recolor();
  /// Adds a sample; `first` is the one in the middle. It is in the sum at once, or after catch_up().
  void add(const MandelbrotColors::Values& first, const MandelbrotColors::Values& sample, MandelbrotColors& colors);
  /// Adds kept samples that are not yet in the sum: all of them, or as many as a frame has time for.
  void catch_up(const MandelbrotColors::Values& first, MandelbrotColors& colors, bool all);
  /// Draws the mean into `target`.
  void mean(Layer& target, mandelbrot::Size size);

  /// The number of samples in the mean.
  int count() const { return count_; }
  /// The number of samples that other colours would start with.
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
  std::size_t caught_up_ = 0;  // number of kept samples in the sum

  GLuint timer_ = 0;
  int timed_ = 0;  // samples that the timer is measuring
  int per_frame_ = 1;
};

}  // namespace orrery
