/// Reads the smooth value of one pixel of a picture, without waiting: it is there a frame or two later.
///
/// Window thread, with the GL context current.
#pragma once

#include <optional>

#include "render/late_read.hpp"
#include "scenes/mandelbrot/pictures/published_picture.hpp"

namespace orrery {

class CursorReadout {
 public:
  CursorReadout();

  /// Asks for the value where `view` has (x, y), in pixels of its picture; forgets what was asked before.
  void ask(mandelbrot::PublishedPicture& picture, const mandelbrot::View& view, mandelbrot::Size size, double x,
           double y);
  /// The value asked for last, as it is published (is_interior(), is_unknown()); nothing until it has come.
  std::optional<float> answer();

 private:
  gl::LateRead read_;
  std::optional<float> value_;
};

}  // namespace orrery
