#include "scenes/mandelbrot/pictures/published_picture.hpp"

#include <cmath>
#include <stdexcept>

#include "base/clock.hpp"
#include "scenes/mandelbrot/model/iteration_limit.hpp"
#include "scenes/mandelbrot/output/picture.hpp"

namespace orrery::mandelbrot {
namespace {

constexpr std::ptrdiff_t lanes_that_fill = 2;  // number that fills the device
constexpr double longest_wait = 1;  // seconds for the first stack, if its samples take as long as the picture did

}  // namespace

double PublishedPicture::log2_resolution() const {
  return log2_spacing(view, size) + std::log2(stride == 0 ? 2.0 * Renderer::coarsest : stride);
}

void PictureWriter::write(PublishedPicture& picture, Renderer& renderer, ComputeContext& context,
                          PictureHistogram* histogram, std::uint32_t sample) {
  const Frame& frame = renderer.published_frame();
  const std::size_t bytes = renderer.planes() * frame.size.pixels() * sizeof(float);
  if (!picture.surface || picture.surface->bytes() != bytes) {
    picture.surface = context.surfaces.make(bytes, context.queue);
  }
  {
    const Surface::Lease lease = picture.surface->lease(context.queue);
    renderer.publish(context.queue, lease.buffer(), sample);
    const PictureHistogram::Counted counted{frame.view, frame.limit, renderer.enqueued_stride(), serial_ + 1};
    if (histogram != nullptr) histogram->count(context.queue, lease.buffer(), frame.size.pixels(), counted);
  }
  picture.view = frame.view;
  picture.size = frame.size;
  picture.detail = renderer.has_details();
  picture.stride = renderer.enqueued_stride();
  picture.limit = frame.limit;
  const bool raises = renderer.raises();
  picture.settled = !raises && (!frame.automatic || !AutomaticLimit::too_low(renderer.progress()));
  picture.undecided = (raises || frame.automatic) && renderer.progress().escaped == 0;
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

void PictureSampler::enter(Slot& slot, SampleEvent event) {
  const auto next = after(slot.phase, event);
  if (!next) throw std::logic_error("PictureSampler: illegal change of phase");
  slot.phase = *next;
}

std::vector<PublishedPicture*> PictureSampler::arrived() {
  std::vector<PublishedPicture*> pictures;
  for (int sample = drawn_; sample < written_; ++sample) {
    const auto slot = std::ranges::find_if(slots_, [&](const Slot& each) { return has(each, sample); });
    if (slot == slots_.end()) break;
    pictures.push_back(&slot->picture);
  }
  return pictures;
}

void PictureSampler::take(std::size_t count) {
  const int end = drawn_ + static_cast<int>(count);
  for (Slot& slot : slots_)
    if (slot.phase == SampleSurface::arrived && slot.sample < end) enter(slot, SampleEvent::take);
  drawn_ = end;
}

void PictureSampler::resume(int left) {
  if (left < drawn_) begin_at(left);
}

// Samples that have not been drawn are dropped.
void PictureSampler::begin_at(int sample) {
  drawn_ = written_ = begun_ = sample;
  for (Lane& lane : lanes_) lane.first = lane.end = sample;
  for (Slot& slot : slots_) enter(slot, SampleEvent::drop);
}

void PictureSampler::follow(const PublishedPicture* finished, double seconds) {
  const bool same = finished != nullptr && finished->serial == base_;
  for (Slot& slot : slots_) {
    const bool wanted = slot.phase == SampleSurface::writing;
    if ((wanted || slot.phase == SampleSurface::unwanted) && slot.picture.surface->arrived())
      enter(slot, wanted && same ? SampleEvent::arrive : SampleEvent::discard);
  }
  if (finished == nullptr || same) return;
  base_ = finished->serial;
  // Samples of long orbits take less time together than one after the other.
  together_ = static_cast<int>(std::clamp(longest_wait / std::max(seconds, 1e-3), 2.0, 1.0 * most_stacked));
  begin_at(1);
}

void PictureSampler::compute(const Renderer& original, int wanted, ComputeContext& context, PictureWriter& writer) {
  // Lanes are served in the order in which their samples are drawn.
  std::ranges::sort(lanes_, {}, &Lane::first);
  for (Lane& lane : lanes_)
    if (written_ < std::min(lane.end, wanted)) compute(lane, wanted, context, writer);
  while (begun_ < wanted && has_room(context.device.info())) {
    Lane& lane = free_lane();
    begin(lane, original, wanted, context);
    compute(lane, wanted, context, writer);
  }
}

// Prefers a lane that has a renderer.
PictureSampler::Lane& PictureSampler::free_lane() {
  return *std::ranges::max_element(lanes_, {}, [&](const Lane& lane) {
    return awaits(lane) ? 0 : lane.is_made() ? 2 : 1;
  });
}

// The device has idle time and enough memory.
bool PictureSampler::has_room(const DeviceInfo& device) const {
  std::ptrdiff_t lanes = 0, filling = 0;
  std::size_t fit = lanes_that_fill;
  for (const Lane& lane : lanes_) {
    if (!awaits(lane)) continue;
    const Renderer& renderer = *lane.renderer;
    ++lanes;
    if (!renderer.leaves_room()) ++filling;
    fit = std::max(fit, stacks_that_fit(device, renderer.kernels().variant, renderer.frame().stack()));
  }
  return filling < lanes_that_fill && std::cmp_less(lanes, std::min(fit, lanes_.size()));
}

void PictureSampler::begin(Lane& lane, const Renderer& original, int wanted, ComputeContext& context) {
  if (!lane.is_made()) {
    lane.renderer = std::make_unique<Renderer>(context.device, context.queue, original.kernels());
    lane.renderer->compute_few_beside(context.queue, std::ranges::count_if(lanes_, &Lane::is_made));
  }
  const int most =
      static_cast<int>(stackable(context.device.info(), original.kernels().variant, original.frame().part()));
  lane.first = begun_;
  lane.end = begun_ = std::min(wanted, begun_ + std::min(most, together_));
  lane.began = now_seconds();
  Frame frame = with_samples(original.frame(), lane.first, static_cast<std::uint32_t>(lane.end - lane.first));
  frame.progressive = false;
  lane.renderer->follow(original);
  lane.renderer->begin(frame);
}

// Larger stacks may take equally long, but the user must not wait for them.
void PictureSampler::learn(double seconds, int samples) {
  constexpr double longest = 0.5;
  if (seconds < longest) together_ = 4 * samples;
  if (seconds > 2 * longest) together_ = std::max(1, samples / 2);
}

void PictureSampler::compute(Lane& lane, int wanted, ComputeContext& context, PictureWriter& writer) {
  // OpenGL on the same device draws after all samples in flight: they take less than a frame.
  const double share = context.surfaces.report().shared ? 0.47 : 1;
  const double ahead_seconds = share * context.ahead_seconds / lanes_that_fill;
  const bool done = lane.renderer->enqueued_all();
  if (!context.yields) lane.renderer->enqueue_slice(context.queue, ahead_seconds, context.launch_seconds);
  if (!lane.renderer->enqueued_all()) return;
  if (!done) learn(now_seconds() - lane.began, lane.end - lane.first);
  if (lane.renderer->busy()) return;
  while (lane.first <= written_ && written_ < std::min(lane.end, wanted)) {
    const auto slot = std::ranges::find_if(slots_, &Slot::writable);
    if (slot == slots_.end()) return;
    const auto of_stack = static_cast<std::uint32_t>(written_ - lane.first);
    writer.write(slot->picture, *lane.renderer, context, nullptr, of_stack);
    slot->sample = written_++;
    enter(*slot, SampleEvent::write);
  }
}

double PictureSampler::iterations() const {
  double sum = 0;
  for (const Lane& lane : lanes_)
    if (lane.renderer) sum += lane.renderer->iterations();
  return sum;
}

}  // namespace orrery::mandelbrot
