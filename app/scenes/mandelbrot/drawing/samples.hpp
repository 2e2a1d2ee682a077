/// Samples of one picture, each shifted within its pixels, added up in linear light: anti-aliasing that converges.
///
/// The smooth values of the samples are kept, as far as they fit, so that other colours cost no computing. Window
/// thread, with the GL context current.
#pragma once

#include <vector>

#include "scenes/mandelbrot/drawing/colors.hpp"
#include "scenes/mandelbrot/drawing/layer.hpp"

namespace orrery {

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
  /// Adds what is kept and not yet in the sum, as much as a frame has time for.
  void catch_up(const MandelbrotColors::Values& first, MandelbrotColors& colors);
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
