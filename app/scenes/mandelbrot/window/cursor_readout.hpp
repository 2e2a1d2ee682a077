/// Tells where the cursor is in the plane, and the smooth value of the pixel under it, which is read without waiting:
/// it is there a frame or two later.
///
/// Window thread, with the GL context current.
#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <string>

#include "render/late_read.hpp"
#include "scenes/mandelbrot/pictures/published_picture.hpp"

namespace orrery {

/// value · 2^exponent in so many digits, however large.
std::string scaled_text(double value, int exponent, int digits);

class CursorReadout {
 public:
  CursorReadout();

  /// Each frame. `picture` is the one that is shown, or null; `cursor` is in pixels of the view from its top left
  /// corner.
  void follow(mandelbrot::PublishedPicture* picture, const mandelbrot::View& view, mandelbrot::Size size,
              glm::vec2 cursor);
  /// The place, or the title of what is marked there, and the value that is known.
  std::string text(const std::string& title);

 private:
  void ask(mandelbrot::PublishedPicture& picture, const mandelbrot::View& view, mandelbrot::Size size, double x,
           double y);

  gl::LateRead read_;
  glm::vec2 cursor_{-1, -1};
  mandelbrot::View view_;
  std::uint64_t serial_ = 0;  // of the picture
  int exponent_ = 0;          // of its values
  std::string place_, value_;
};

}  // namespace orrery
