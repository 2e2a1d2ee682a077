/// A picture in a surface, as it is drawn.
///
/// Window thread; nothing waits.
#pragma once

#include <cstdint>
#include <memory>

#include "interop/surface.hpp"
#include "scene/scene.hpp"
#include "scenes/mandelbrot/model/renderer.hpp"
#include "scenes/mandelbrot/output/equalizer.hpp"

namespace orrery::mandelbrot {

/// ν of one view in a surface, a float a pixel a plane (see kernels/mandelbrot/mandelbrot_publish.cl).
struct PublishedPicture {
  std::unique_ptr<Surface> surface;
  View view;
  Size size;
  bool detail = false;       ///< a second plane follows: distances in pixels, periods inside
  std::uint32_t stride = 0;  ///< every pixel of that grid is known; 1: all; 0: none need be
  std::uint32_t limit = 0;
  bool settled = false;      ///< what has not escaped at the limit is interior, but for a few pixels
  int exponent = 0;          ///< values, and the limit, are in units of 2^exponent iterations
  std::uint64_t render = 0;  ///< which rendering it belongs to
  std::uint64_t serial = 0;  ///< no two pictures have the same

  /// log₂ of the distance of known points in the plane.
  double log2_resolution() const;
};

/// Writes pictures into their surfaces, each under a serial number of its own.
class PictureWriter {
 public:
  /// Enqueues what the renderer has computed so far into the picture's surface, which must be idle; makes the surface
  /// where there is none of that size. `equalizer` counts values of a picture of which every pixel is known; nullptr:
  /// nothing is counted. Throws Error where the device refuses.
  void write(PublishedPicture& picture, Renderer& renderer, ComputeContext& context, Equalizer* equalizer);

 private:
  std::uint64_t serial_ = 0;
};

}  // namespace orrery::mandelbrot
