#include "scenes/mandelbrot/pictures/published_picture.hpp"

#include <cmath>
#include <stdexcept>

#include "scenes/mandelbrot/model/iteration_limit.hpp"
#include "scenes/mandelbrot/output/picture.hpp"

namespace orrery::mandelbrot {

double PublishedPicture::log2_resolution() const {
  return log2_spacing(view, size) + std::log2(stride == 0 ? 2.0 * Renderer::coarsest : stride);
}

void PictureWriter::write(PublishedPicture& picture, Renderer& renderer, ComputeContext& context,
                          PictureHistogram* histogram) {
  const Frame& frame = renderer.published_frame();
  const std::size_t bytes = renderer.planes() * frame.size.pixels() * sizeof(float);
  if (!picture.surface || picture.surface->bytes() != bytes) {
    picture.surface = context.surfaces.make(bytes, context.queue);
  }
  {
    const Surface::Lease lease = picture.surface->lease(context.queue);
    renderer.publish(context.queue, lease.buffer());
    const PictureHistogram::Counted counted{frame.view, frame.limit, renderer.enqueued_stride(), serial_ + 1};
    if (histogram != nullptr) histogram->count(context.queue, lease.buffer(), frame.size.pixels(), counted);
  }
  picture.view = frame.view;
  picture.size = frame.size;
  picture.detail = renderer.has_details();
  picture.stride = renderer.enqueued_stride();
  picture.limit = frame.limit;
  picture.settled = !frame.automatic || !AutomaticLimit::too_low(renderer.progress());
  picture.undecided = frame.automatic && renderer.progress().escaped == 0;
  picture.exponent = renderer.value_exponent();
  picture.serial = ++serial_;
}

// ---- the pictures that are shown together

namespace {

constexpr double publish_interval = 0.03;  // seconds

}  // namespace

// The picture that is neither base nor latest; both stay the same while it is written.
int PublishedPictures::spare() const {
  int spare = 0;
  while (spare == base_ || spare == latest_) ++spare;
  return spare;
}

void PublishedPictures::enter(PublicationEvent event) {
  const auto next = after(publication_, event);
  if (!next) throw std::logic_error("PublishedPictures: illegal change of phase");
  publication_ = *next;
}

bool PublishedPictures::just_published(std::uint64_t render, double seconds) const {
  return render == render_ && seconds - written_ < publish_interval;
}

PublishedPicture* PublishedPictures::vacant() {
  PublishedPicture* picture = at(spare());
  return picture->surface && !picture->surface->idle() ? nullptr : picture;
}

void PublishedPictures::begin_writing(std::uint64_t render, double seconds) {
  enter(PublicationEvent::write);
  at(spare())->render = render;
  render_ = render;
  written_ = seconds;
}

void PublishedPictures::take_arrival() {
  if (publication_ != Publication::writing && publication_ != Publication::overtaken) return;
  const int arrived = spare();
  if (!at(arrived)->surface->arrived()) return;
  enter(PublicationEvent::arrive);
  if (at(arrived)->stride == 1) {
    base_ = arrived;
    latest_ = none;
    return;
  }
  if (latest_ != none && at(latest_)->render != at(arrived)->render) {
    if (base_ == none || at(latest_)->log2_resolution() < at(base_)->log2_resolution()) base_ = latest_;
  }
  latest_ = arrived;
}

// ---- further samples

void PictureSampler::enter(Lane& lane, SampleEvent event) {
  const auto next = after(lane.phase, event);
  if (!next) throw std::logic_error("PictureSampler: illegal change of phase");
  lane.phase = *next;
}

void PictureSampler::take() {
  enter(lane(), SampleEvent::take);
  ++drawn_;
}

void PictureSampler::resume(int left) {
  if (left < drawn_) begin_at(left);
}

// What has not been drawn is dropped: of the sample that each lane computes, the index must be its own.
void PictureSampler::begin_at(int sample) {
  drawn_ = sample;
  for (int ahead = 0; ahead < static_cast<int>(lanes_.size()); ++ahead) {
    Lane& lane = lanes_[static_cast<std::size_t>(sample + ahead) % lanes_.size()];
    lane.next = sample + ahead;
    enter(lane, SampleEvent::drop);
  }
}

void PictureSampler::follow(const PublishedPicture* finished) {
  const bool same = finished != nullptr && finished->serial == base_;
  for (Lane& lane : lanes_) {
    const bool wanted = lane.phase.surface == SampleSurface::writing;
    if ((wanted || lane.phase.surface == SampleSurface::unwanted) && lane.picture.surface->arrived())
      enter(lane, wanted && same ? SampleEvent::arrive : SampleEvent::discard);
  }
  if (finished == nullptr || same) return;
  base_ = finished->serial;
  begin_at(1);
}

void PictureSampler::compute(const Renderer& original, int wanted, ComputeContext& context, PictureWriter& writer) {
  // The one that is drawn first comes first.
  for (std::size_t ahead = 0; ahead < lanes_.size(); ++ahead) {
    Lane& lane = lanes_[(static_cast<std::size_t>(drawn_) + ahead) % lanes_.size()];
    if (lane.next < wanted) compute(lane, original, context, writer);
  }
}

void PictureSampler::compute(Lane& lane, const Renderer& original, ComputeContext& context, PictureWriter& writer) {
  if (!lane.renderer) lane.renderer = std::make_unique<Renderer>(context.device, context.queue, original.kernels());
  if (lane.phase.work == SampleWork::idle) {
    Frame frame = original.frame();
    const SampleShift shift = sample_shift(lane.next);
    frame.shift_x = shift.x;
    frame.shift_y = shift.y;
    lane.renderer->begin(frame);
    enter(lane, SampleEvent::begin);
  }
  // OpenGL on the same device draws after all samples in flight: they take less than a frame.
  const double share = context.surfaces.report().shared ? 0.47 : 1;
  const double ahead_seconds = share * context.ahead_seconds / static_cast<double>(lanes_.size());
  if (!context.yields) lane.renderer->enqueue_slice(context.queue, ahead_seconds, context.launch_seconds);
  const bool vacant =
      lane.phase.surface == SampleSurface::vacant && (!lane.picture.surface || lane.picture.surface->idle());
  if (!lane.renderer->enqueued_all() || !vacant) return;
  writer.write(lane.picture, *lane.renderer, context, nullptr);
  enter(lane, SampleEvent::write);
  lane.next += static_cast<int>(lanes_.size());
}

double PictureSampler::iterations() const {
  double sum = 0;
  for (const Lane& lane : lanes_)
    if (lane.renderer) sum += lane.renderer->iterations();
  return sum;
}

}  // namespace orrery::mandelbrot
