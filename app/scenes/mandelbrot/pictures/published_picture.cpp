#include "scenes/mandelbrot/pictures/published_picture.hpp"

#include <cmath>

#include "scenes/mandelbrot/model/iteration_limit.hpp"

namespace orrery::mandelbrot {

double PublishedPicture::log2_resolution() const {
  return log2_spacing(view, size) + std::log2(stride == 0 ? 2.0 * Renderer::coarsest : stride);
}

void PictureWriter::write(PublishedPicture& picture, Renderer& renderer, ComputeContext& context,
                          Equalizer* equalizer) {
  const Frame& frame = renderer.published_frame();
  const std::size_t bytes = renderer.planes() * frame.size.pixels() * sizeof(float);
  if (!picture.surface || picture.surface->bytes() != bytes) {
    picture.surface = context.surfaces.make(bytes, context.queue);
  }
  {
    const Surface::Lease lease = picture.surface->lease(context.queue);
    renderer.publish(context.queue, lease.buffer());
    if (equalizer != nullptr && renderer.enqueued_stride() == 1)
      equalizer->enqueue(context.queue, lease.buffer(), frame.size.pixels());
  }
  picture.view = frame.view;
  picture.size = frame.size;
  picture.detail = renderer.has_details();
  picture.stride = renderer.enqueued_stride();
  picture.limit = frame.limit;
  picture.settled = !frame.automatic || !AutomaticLimit::too_low(renderer.progress());
  picture.exponent = renderer.value_exponent();
  picture.serial = ++serial_;
}

}  // namespace orrery::mandelbrot
