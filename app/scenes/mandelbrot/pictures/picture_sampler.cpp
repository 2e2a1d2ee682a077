#include "scenes/mandelbrot/pictures/picture_sampler.hpp"

#include <stdexcept>

#include "scenes/mandelbrot/output/picture.hpp"

namespace orrery::mandelbrot {

void PictureSampler::enter(SampleEvent event) {
  const auto next = after(phase_, event);
  if (!next) throw std::logic_error("PictureSampler: illegal change of phase");
  phase_ = *next;
}

void PictureSampler::resume(int left) {
  const int on_the_way = phase_.surface != SampleSurface::vacant ? 1 : 0;
  if (next_ - on_the_way <= left) return;
  next_ = left;
  enter(SampleEvent::drop);
}

void PictureSampler::follow(const PublishedPicture* finished) {
  const bool same = finished != nullptr && finished->serial == base_;
  const bool wanted = phase_.surface == SampleSurface::writing;
  if ((wanted || phase_.surface == SampleSurface::unwanted) && picture_.surface->arrived())
    enter(wanted && same ? SampleEvent::arrive : SampleEvent::discard);
  if (finished == nullptr || same) return;
  base_ = finished->serial;
  next_ = 1;
  enter(SampleEvent::drop);
}

void PictureSampler::compute(const Renderer& original, int wanted, ComputeContext& context, PictureWriter& writer) {
  if (next_ >= wanted) return;
  if (!renderer_) renderer_ = std::make_unique<Renderer>(context.device, context.queue, original.kernels());
  if (phase_.work == SampleWork::idle) {
    Frame frame = original.frame();
    const SampleShift shift = sample_shift(next_);
    frame.shift_x = shift.x;
    frame.shift_y = shift.y;
    renderer_->begin(frame);
    enter(SampleEvent::begin);
  }
  if (!context.yields) renderer_->enqueue_slice(context.queue, context.ahead_seconds, context.launch_seconds);
  const bool vacant = phase_.surface == SampleSurface::vacant && (!picture_.surface || picture_.surface->idle());
  if (!renderer_->enqueued_all() || !vacant) return;
  writer.write(picture_, *renderer_, context, nullptr);
  enter(SampleEvent::write);
  ++next_;
}

}  // namespace orrery::mandelbrot
